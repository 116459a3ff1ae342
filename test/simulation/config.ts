import { seededRandom } from "../../lib/local/seeded-random.js";
import type { ResultSink } from "./outputs/outputs.js";
import { branches } from "./scenarios/branches.js";
import { SCENARIOS, type Scenario } from "./scenarios/scenario.js";
import { union } from "./scenarios/union.js";

/** What kind of world a seed makes; the decisions within it are `Choices`. */
export interface Config {
  readonly scenario: Scenario;
  readonly ringSize: number;
  /** K. Starts of deliveries reach five records beyond what is done, so six runs are the fewest that lose nothing. */
  readonly maxRuns: number;
  readonly inlineLimitBytes: number;
  readonly packBytes: number;
  /** Rows staged together, by the code's generation; 0: all of a commit. */
  readonly rowsPerStep: readonly [number, number];
  /** Steps of publication that fit in one invocation; null: all. */
  readonly stepsPerInvocation: number | null;
  /** Where results go; side outputs go to S3. */
  readonly sink: ResultSink;
  readonly across: "auto" | "max";
  readonly shards: number;
  readonly environments: number;
  /** Per conditional write: a response lost, a retry refused, an application after it was given up. */
  readonly lost: number;
  /** Per read, upload or put of a sink. */
  readonly failed: number;
  /** Of all steps: kills and freezes. */
  readonly crash: number;
  /** Pieces of what is not done with come in any order (bisected halves swapped). */
  readonly outOfOrder: boolean;
  /** Clock jumps of two days, and sweeps. */
  readonly sweeping: boolean;
  readonly reshard: boolean;
  readonly deploy: boolean;
  readonly reset: boolean;
  /** The stream is deleted and made again: nothing of the new one may count as consumed. */
  readonly recreate: boolean;
  /** Records per delivery at most. */
  readonly pieces: number;
  /** Event time moves by up to three of these per record; few: the state grows and windows stay open. */
  readonly paceMs: number;
  readonly steps: number;
  /** Some records are KPL aggregates of several user records. */
  readonly kpl: boolean;
}

export function configOf(seed: number, only: string | null): Config {
  const random = seededRandom(seed * 7919 + 13);
  const one = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  // Enough commits of one shard for runs of offsets to fall off.
  const long = random() < 0.02;
  // Enough time for closed shards to be forgotten by the stream, and for the stream to be made again after that.
  const aging = random() < 0.08;
  const outOfOrder = !aging && random() < 0.33;
  const scenarios = SCENARIOS.filter((known) => (only === null ? known !== branches : known.name === only));
  const drawn = one(...scenarios);
  const sink = one("s3", "s3", "dynamodb", "kinesis", "foreachBatch");
  // Drawn apart, so that seeds of before keep their worlds.
  const ofSteps = seededRandom(seed * 104_729 + 7);
  const step = <T>(...choices: readonly T[]): T => choices[Math.floor(ofSteps() * choices.length)]!;
  // By the seed itself, so that the draws of every other world stay as they were.
  const scenario = only === null && drawn === union && seed % 2 === 0 ? branches : drawn;
  return {
    scenario,
    ringSize: one(1, 1, 2, 3, 4, 4, 8, 64),
    maxRuns: one(6, 6, 8, 64),
    inlineLimitBytes: one(1, 1, 1, 700, 1_100, 8_192),
    packBytes: step(1, 300, 4_000_000),
    rowsPerStep: [step(0, 1, 2), step(0, 1, 3)],
    stepsPerInvocation: step(null, null, 1, 2),
    sink: sink === "dynamodb" && scenario.key === undefined ? "s3" : sink,
    across: aging ? "auto" : one("auto", "max"),
    shards: long ? 1 : one(1, 2, 2, 3),
    environments: one(1, 2, 3),
    lost: one(0, 0.1, 0.3),
    failed: one(0, 0.01, 0.05),
    crash: one(0, 0.01, 0.04),
    outOfOrder,
    sweeping: aging || one(false, false, true),
    reshard: aging || one(false, true),
    deploy: one(false, true),
    reset: one(false, false, false, true),
    recreate: !outOfOrder && random() < (aging ? 0.5 : 0.25),
    pieces: long ? 1 : 5,
    paceMs: one(1_000, 1_000, 100),
    steps: long ? 1_000 : aging ? 500 : one(25, 50, 100, 250),
    kpl: one(false, scenario.poison !== undefined, true),
  };
}
