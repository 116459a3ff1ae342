import { simulate } from "./simulate.js";

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const seeds = Number(option("seeds") ?? 1_000);
const start = Number(option("start") ?? 1);
const scenario = option("scenario") ?? null;
let passed = 0, failed = 0, batches = 0;
const trace = process.argv.includes("--trace") ? (t: string) => console.log(t) : () => {};
for (let seed = start; seed < start + seeds; seed++) {
  const r = await simulate(seed, { scenario, trace });
  batches += r.batches;
  if (r.violation) { failed++; console.log(seed, r.violation.message); if (failed > 20) break; } else passed++;
}
console.log(batches, "batches");
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
