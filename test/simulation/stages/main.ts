import { commandLine, wholeNumber } from "../../command-line.js";
import { simulateStages } from "./simulate-stages.js";

const USAGE = `
Plays queries with several state partitions, both stages, in worlds where things fail.

  npm run simulate:stages -- [--seeds N] [--start SEED] [--trace] [--json]

--trace shows what happens in the seed --start. --json prints the first violation as one line.
Exit codes: 0 no violation, 1 a violation, 2 the command line is wrong.
`;
const { values } = commandLine(USAGE, {
  seeds: { type: "string", default: "1000" },
  start: { type: "string", default: "0" },
  trace: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
});
const first = wholeNumber("--start", values.start, 0);
const seeds = values.trace ? 1 : wholeNumber("--seeds", values.seeds, 1);

let failed = 0;
let rows = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const result = await simulateStages(seed, values.trace ? { trace: console.log } : {});
  rows += result.rows;
  if (result.violation === null) continue;
  failed++;
  const { invariant, message } = result.violation;
  console.log(values.json ? JSON.stringify({ seed, invariant, message }) : `seed ${seed}: ${message}`);
  if (values.json) break;
}
console.log(`${rows} rows`);
console.log(`${seeds - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
