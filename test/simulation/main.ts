import { commandLine, refuse, wholeNumber } from "../command-line.js";
import { decisionText, parseDecisions } from "./decision-text.js";
import { SCENARIOS } from "./scenarios/scenario.js";
import { shrink } from "./shrink.js";
import { simulate } from "./simulate.js";

const USAGE = `
The runtime over faulty ports: crashes, zombies, lost responses, reshards, deploys; each seed is a history, and no law may break.

  npm run simulate -- --seeds 1000 --start 1

  --scenario X     one query alone instead of the seed's
  --trace          tells each step
  --decisions D    replays a shrunk history, of one seed
  --json           the first failure as one line of JSON

Exit codes: 0 all pass, 1 one fails, 2 the command line is wrong.
`;
const { values } = commandLine(USAGE, {
  seeds: { type: "string", default: "1000" },
  start: { type: "string", default: "1" },
  scenario: { type: "string" },
  decisions: { type: "string" },
  trace: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
});
/** With `--json` the first failure says it all. */
const MAX_FAILURES = values.json ? 1 : 5;
const SHRINK_RUNS = 600;

const first = wholeNumber("--start", values.start);
const seeds = values.decisions === undefined ? wholeNumber("--seeds", values.seeds, 1) : 1;
const scenario = values.scenario ?? null;
if (scenario !== null && !SCENARIOS.some(({ name }) => name === scenario))
  refuse(`--scenario takes ${SCENARIOS.map(({ name }) => name).join(", ")}`);
const trace = values.trace ? { trace: (text: string) => console.log(text) } : {};
const given = values.decisions === undefined ? {} : { decisions: parseDecisions(values.decisions) };
const perScenario = new Map<string, number>();
let passed = 0;
let failed = 0;
let batches = 0;
let kills = 0;

for (let seed = first; seed < first + seeds && failed < MAX_FAILURES; seed++) {
  const result = await simulate(seed, { scenario, ...given, ...trace });
  batches += result.batches;
  kills += result.kills;
  perScenario.set(result.scenario, (perScenario.get(result.scenario) ?? 0) + 1);
  if (result.violation === null) {
    passed++;
    continue;
  }
  failed++;
  if (values.json) console.log(JSON.stringify({ seed, invariant: result.violation.invariant }));
  else console.log(`seed ${seed} (${result.scenario}): ${result.violation.message}`);
  if (!values.json && values.decisions === undefined) {
    const smaller = await shrink(seed, scenario, result, SHRINK_RUNS);
    const only = scenario === null ? "" : ` --scenario ${scenario}`;
    console.log(
      `  shrunk from ${result.decisions.length} to ${smaller.decisions.length} decisions: ${smaller.violation.message}`,
    );
    console.log(
      `  npm run simulate -- --start ${seed}${only} --trace --decisions ${decisionText(smaller.decisions) || "0"}`,
    );
  }
}
for (const [name, count] of [...perScenario].sort()) console.log(`${name}: ${count} seeds`);
console.log(`${batches} committed batches, ${kills} killed environments`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
