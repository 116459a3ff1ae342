import { commandLine, wholeNumber } from "../command-line.js";
import { compareDecoders } from "./compare-decoders.js";

const USAGE = `
Random payloads through the scanner and through the row decoder: the answers must be the same.

  npm run fuzz:payloads -- --cases 1000000 --start 1

Exit codes: 0 all pass, 1 one differs, 2 the command line is wrong.
`;
const { values } = commandLine(USAGE, {
  cases: { type: "string", default: "100000" },
  start: { type: "string", default: "1" },
});

const [cases, start] = [wholeNumber("--cases", values.cases, 1), wholeNumber("--start", values.start)];
let [seen, declined, malformed, failed] = [0, 0, 0, 0];
for (let seed = start; seen < cases; seed++) {
  const comparison = compareDecoders(seed);
  seen += comparison.payloads;
  declined += comparison.declined;
  malformed += comparison.malformed;
  if (comparison.difference === null) continue;
  if (++failed <= 10) console.log(`DIFFERS seed ${seed}: ${JSON.stringify(comparison.difference)}`);
}
console.log(`${seen} payloads, ${declined} declined, ${malformed} malformed, ${failed} differences`);
process.exitCode = failed === 0 ? 0 : 1;
