import { replayedChoices, seededChoices } from "./choices.js";
import { configOf } from "./config.js";
import { finish } from "./finish.js";
import { newFleet } from "./fleet.js";
import { live } from "./live.js";
import { Violation } from "./violation.js";
import { newWorld } from "./world.js";

export interface RunResult {
  readonly scenario: string;
  readonly violation: Violation | null;
  readonly decisions: readonly number[];
  readonly batches: number;
  readonly kills: number;
}

export interface RunOptions {
  readonly scenario?: string | null;
  /** Decisions of an earlier run instead of the seed's own. */
  readonly decisions?: readonly number[];
  readonly trace?: (text: string) => void;
}

/** One world from its birth until everything in its stream is answered. */
export async function simulate(seed: number, options: RunOptions = {}): Promise<RunResult> {
  const config = configOf(seed, options.scenario ?? null);
  const choices = options.decisions === undefined ? seededChoices(seed) : replayedChoices(options.decisions);
  const world = newWorld(config, choices, options.trace ?? (() => {}));
  const fleet = newFleet(world);
  // Once per run the event loop has its turn.
  await new Promise((resolve) => setImmediate(resolve));
  try {
    await live(world, fleet);
    await finish(world, fleet);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
  }
  const violation = world.judge.first;
  if (violation !== null) world.trace(violation.message);
  const batches = violation === null ? world.historyOf(world.incarnation()).batches.length : 0;
  return { scenario: config.scenario.name, violation, decisions: choices.taken, batches, kills: fleet.kills() };
}
