import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { commandLine, refuse, wholeNumber } from "../command-line.js";
import { buildSimulator } from "./build.js";
import type { Mutant } from "./mutant.js";
import { MUTANTS } from "./mutants.js";

const USAGE = `
Every mutant must be caught by the simulator within N seeds, 20000 by default.

  npm run mutants -- [--seeds N] [--only TEXT]

--only takes the mutants whose name contains TEXT.
Exit codes: 0 all are caught, 1 one is not, 2 the command line is wrong.
`;
const { values } = commandLine(USAGE, {
  seeds: { type: "string", default: "20000" },
  only: { type: "string", default: "" },
});
const WORKERS = 2;
const UNCHANGED_SEEDS = 1_000;
const DIRECTORY = "node_modules/.cache/mutants";

interface Caught {
  readonly seed: number;
  readonly invariant: string;
}

async function hunt(mutant: Mutant | null, seeds: number, world = mutant?.world): Promise<Caught | null> {
  const file = `${DIRECTORY}/${(mutant?.name ?? "unchanged").replace(/\W+/g, "-")}.mjs`;
  await buildSimulator(mutant, file, world);
  try {
    const output = await outputOf(file, seeds);
    const caught = output.split("\n").find((line) => line.startsWith("{"));
    if (caught !== undefined) return JSON.parse(caught) as Caught;
    if (!output.includes(`${seeds} passed, 0 failed`)) throw new Error(`The simulator broke off: ${output}`);
    return null;
  } finally {
    await rm(file, { force: true });
  }
}

function outputOf(file: string, seeds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, "--json", "--seeds", String(seeds)], { stdio: "pipe" });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (text += bytes));
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}

const limit = wholeNumber("--seeds", values.seeds, 1);
const waiting = MUTANTS.filter(({ name }) => name.includes(values.only));
if (waiting.length === 0) refuse(`No mutant's name contains '${values.only}'`);
for (const world of new Set(waiting.map((mutant) => mutant.world)))
  if ((await hunt(null, UNCHANGED_SEEDS, world)) !== null)
    throw new Error(`The unchanged code fails: npm run simulate${world === undefined ? "" : `:${world}`}`);
console.log(`unchanged code: ${UNCHANGED_SEEDS} seeds pass`);

const rows = new Map<string, Caught | null>();
async function worker(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const caught = await hunt(next, limit);
    rows.set(next.name, caught);
    console.error(`${next.name}: ${caught === null ? "NOT CAUGHT" : `seed ${caught.seed}, ${caught.invariant}`}`);
  }
}
await Promise.all(Array.from({ length: WORKERS }, worker));

console.log("| mutant | what it forgets | caught at seed | by invariant |\n| --- | --- | --- | --- |");
for (const { name, about } of MUTANTS) {
  const caught = rows.get(name);
  if (caught !== undefined)
    console.log(`| ${name} | ${about} | ${caught?.seed ?? `not within ${limit}`} | ${caught?.invariant ?? "—"} |`);
}
const missed = [...rows.values()].filter((caught) => caught === null).length;
console.log(`${rows.size - missed} caught, ${missed} not caught`);
process.exitCode = missed > 0 ? 1 : 0;
