import { parseArgs } from "node:util";
import { runSeed } from "./run-seed.js";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    start: { type: "string", default: "1" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const MAX_SHOWN = 10;

async function main(): Promise<number> {
  const [seeds, start] = [Number(values.seeds), Number(values.start)];
  if (values.help || !Number.isSafeInteger(seeds) || !Number.isSafeInteger(start)) {
    console.log("Random queries and inputs against a computation by hand.\n\n  npm run fuzz -- --seeds 1000 --start 1");
    return values.help ? 0 : 2;
  }
  let failed = 0;
  for (let seed = start; seed < start + seeds; seed++) {
    const failure = await runSeed(seed).catch((error: unknown) => error as Error);
    if (failure === null) continue;
    failed++;
    if (failed > MAX_SHOWN) continue;
    console.log(`FAILED seed ${seed}; replay: npm run fuzz -- --seeds 1 --start ${seed}`);
    if (failure instanceof Error) console.log(failure.stack);
    else {
      console.log(`  ${failure.what} of ${JSON.stringify(failure.shape)}`);
      for (const line of failure.expected) if (!failure.found.includes(line)) console.log(`  expected ${line}`);
      for (const line of failure.found) if (!failure.expected.includes(line)) console.log(`  found    ${line}`);
    }
  }
  console.log(`${seeds - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
