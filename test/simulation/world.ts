import type { CheckpointLog } from "../../lib/checkpoint/checkpoint-log.js";
import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import { decodeMeta } from "../../lib/checkpoint/meta-codec.js";
import type { ObjectStore } from "../../lib/checkpoint/object-store.js";
import type { QueryDefinition } from "../../lib/plan/logical-plan.js";
import type { OutputName } from "../../lib/sinks/sink.js";
import type { Choices } from "./choices.js";
import type { Config } from "./config.js";
import { type History, newHistory, observed } from "./history.js";
import type { Job } from "./mapping.js";
import { namedObjects } from "./named-objects.js";
import { type Outputs, resultOutputs } from "./outputs/outputs.js";
import { s3Outputs } from "./outputs/s3-outputs.js";
import { risingPosition } from "./published-position.js";
import { newScheduler, type Scheduler } from "./scheduler.js";
import { newStream, type SimRecord, type SimStream } from "./stream.js";
import { type Judge, newJudge } from "./violation.js";

export const START = 1_700_000_000_000;
export const HOUR = 3_600_000;

/** Everything that outlives an environment: services, stream, clock, and what was seen of them. */
export interface World {
  readonly config: Config;
  readonly choices: Choices;
  readonly clock: { time: number };
  readonly plan: Scheduler;
  readonly judge: Judge;
  /** As a generation of the code has it. */
  definition(generation: number): QueryDefinition;
  /** The first generation whose user function does not throw. */
  mendedFrom: number;
  readonly stream: SimStream;
  readonly log: CheckpointLog;
  readonly objects: ObjectStore;
  /** Late rows and malformed records go to S3, results to a sink of any kind. */
  outputsOf(output: OutputName): Outputs;
  /** By attempt id: what its writer was doing. */
  readonly senders: Map<string, Job>;
  readonly inFlight: { readonly sentAt: number; readonly apply: () => Promise<unknown> }[];
  faults: { readonly lost: number; readonly failed: number };
  sinkDown: boolean;
  /** How many steps of publication fit in an invocation; null: all. */
  stepsPerInvocation: number | null;
  /** Of the query as it stands. */
  incarnation(): string;
  /** A new incarnation from here on. */
  reset(): void;
  historyOf(incarnation: string): History;
  /** What was seen out is not looked at again, unless `anew`. */
  checkPublished(history: History, through: number, anew?: boolean): void;
  /** Event time goes its own way, slower than the clock. */
  readonly producer: { time: number; ids: number; last: SimRecord["content"] | null };
  /** Puts an actor to sleep; its invocation is given up. */
  freeze(actor: string): void;
  passTime(ms: number): void;
  /** The same, until pointers have moved that often; null: until somebody wakes it. */
  stall(actor: string, moves: number | null): void;
  readonly newId: () => string;
  readonly trace: (text: string) => void;
}

export function newWorld(config: Config, choices: Choices, trace: (text: string) => void): World {
  const clock = { time: START };
  const judge = newJudge();
  const now = () => clock.time;
  const plan = newScheduler();
  const asleep = new Map<string, number>();
  const named = namedObjects(memoryObjectStore(now), judge, wakeByMove);
  const { objects } = named;
  const histories = new Map<string, History>();
  const results = resultOutputs(config.sink, config.scenario.key ?? [], judge);
  const sides = s3Outputs(judge);
  const outputsOf = (output: OutputName) => (output === "result" ? results : sides);
  const stream = newStream(
    config.scenario.watermarks.flatMap(({ streams }) => streams),
    config.shards,
    now,
  );
  const senders = new Map<string, Job>();
  const seenOut = new Map<string, number>();
  let log = memoryCheckpointLog(now);
  let current = "";
  let ids = 0;
  let mendedFrom = Number.POSITIVE_INFINITY;
  const isBroken = (generation: number) => config.scenario.poison !== undefined && generation < mendedFrom;
  const defined = new Map<string, QueryDefinition>();
  const definitionOf = (broken: boolean, turned: boolean): QueryDefinition => {
    const key = `${broken} ${turned}`;
    const definition = defined.get(key) ?? config.scenario.definition({ ...config, broken, turned });
    defined.set(key, definition);
    return definition;
  };

  /** Items are keyed by incarnation, so one log holds them all; only `meta` goes when a query is reset. */
  const switching: CheckpointLog = {
    ...observed(risingPosition(named.log(log), judge), (incarnation) => historyOf(incarnation), senders),
    readMeta: () => log.readMeta(),
    async createMeta(meta) {
      const result = await log.createMeta(meta);
      if (result.created) current = decodeMeta(meta.body).incarnation;
      return result;
    },
    replaceMeta: (meta, revision) => log.replaceMeta(meta, revision),
  };

  const historyOf = (incarnation: string): History => {
    let history = histories.get(incarnation);
    if (history === undefined) {
      history = newHistory({ incarnation, config, stream, objects, outputsOf, isBroken, judge, trace });
      histories.set(incarnation, history);
    }
    return history;
  };

  function wakeByMove(): void {
    for (const [actor, moves] of asleep) {
      asleep.set(actor, moves - 1);
      if (moves > 1) continue;
      asleep.delete(actor);
      if (!plan.frozen.has(actor)) continue;
      trace(`${actor} wakes`);
      plan.thaw(actor);
    }
  }

  return {
    config,
    choices,
    clock,
    plan,
    judge,
    definition: (generation) => definitionOf(isBroken(generation), generation % 2 === 0),
    get mendedFrom() {
      return mendedFrom;
    },
    set mendedFrom(generation) {
      mendedFrom = generation;
    },
    stream,
    log: switching,
    objects,
    outputsOf,
    inFlight: [],
    senders,
    faults: config,
    sinkDown: false,
    stepsPerInvocation: config.stepsPerInvocation,
    incarnation: () => current,
    reset() {
      log = memoryCheckpointLog(now);
      current = "";
    },
    historyOf,
    checkPublished({ incarnation, batches }, through, anew = false) {
      const seen = anew ? 0 : (seenOut.get(incarnation) ?? 0);
      for (let batchId = seen + 1; batchId <= through; batchId++)
        for (const output of ["result", "late", "malformed"] as const) {
          const parts = batches[batchId - 1]!.steps.flat().filter((part) => part.output === output);
          const missing = outputsOf(output).missing({ query: "q", incarnation, partition: 0, batchId }, parts);
          judge.check(missing === null, "no-output-lost", () => `${missing} is not published`);
        }
      seenOut.set(incarnation, Math.max(seen, through));
    },
    producer: { time: START - HOUR / 2, ids: 0, last: null },
    freeze: plan.freeze,
    passTime(ms) {
      clock.time += ms;
      trace(`${ms} ms pass`);
    },
    stall(actor, moves) {
      this.freeze(actor);
      if (moves !== null) asleep.set(actor, moves);
    },
    newId: () => `id${++ids}`,
    trace,
  };
}
