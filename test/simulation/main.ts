import { parseArgs } from "node:util";
import { decisionText, parseDecisions } from "./decision-text.js";
import { shrink } from "./shrink.js";
import { simulate } from "./simulate.js";

/** npm run simulate -- --seeds N --start S [--scenario X] [--trace] [--decisions D] [--json] */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    start: { type: "string", default: "1" },
    scenario: { type: "string" },
    decisions: { type: "string" },
    trace: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
/** With `--json` the first failure says it all. */
const MAX_FAILURES = values.json ? 1 : 5;
const SHRINK_RUNS = 600;

const first = Number(values.start);
const seeds = values.decisions === undefined ? Number(values.seeds) : 1;
const scenario = values.scenario ?? null;
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
