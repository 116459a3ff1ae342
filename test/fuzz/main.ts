import { commandLine, wholeNumber } from "../command-line.js";
import { runSeed } from "./run-seed.js";

const USAGE = `
Random queries and inputs against a computation by hand.

  npm run fuzz -- --seeds 1000 --start 1

Exit codes: 0 all pass, 1 one fails, 2 the command line is wrong.
`;
const { values } = commandLine(USAGE, {
  seeds: { type: "string", default: "1000" },
  start: { type: "string", default: "1" },
});

const MAX_SHOWN = 10;

async function main(): Promise<number> {
  const [seeds, start] = [wholeNumber("--seeds", values.seeds, 1), wholeNumber("--start", values.start)];
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
