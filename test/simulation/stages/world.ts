import { collectList, count } from "../../../lib/api/aggregates.js";
import { columns, long, string, timestamp } from "../../../lib/api/columns.js";
import { kinesis, memory } from "../../../lib/api/descriptors.js";
import { readStream } from "../../../lib/api/read-stream.js";
import { window } from "../../../lib/api/window-functions.js";
import { memoryCheckpointLog } from "../../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../../lib/checkpoint/memory-object-store.js";
import type { QueryDefinition } from "../../../lib/plan/logical-plan.js";
import { memorySink } from "../../../lib/sinks/memory-sink.js";
import type { OutputName, PublishIdentity } from "../../../lib/sinks/sink.js";
import type { Choices } from "../choices.js";
import { newScheduler, type Scheduler } from "../scheduler.js";
import type { StagesConfig } from "./config.js";
import { type StagesInvariant, StagesViolation } from "./judge.js";
import { newStream, type SimStream } from "./streams.js";

export const DELAY_MS = 6_000;
export const WINDOW_MS = 10_000;
export const START = 1_700_000_000_000;

/** A row of the source, and when and where it arrived. */
export interface SentRow {
  readonly id: number;
  readonly t: number;
  readonly k: string;
  readonly arrival: number;
}

/** Everything that outlives an environment. */
export interface StagesWorld {
  readonly config: StagesConfig;
  readonly choices: Choices;
  readonly clock: { time: number };
  readonly plan: Scheduler;
  readonly definition: QueryDefinition;
  readonly source: SimStream;
  readonly shuffle: SimStream;
  readonly log: ReturnType<typeof memoryCheckpointLog>;
  readonly objects: ReturnType<typeof memoryObjectStore>;
  readonly sink: ReturnType<typeof memorySink>;
  readonly sent: SentRow[];
  faults: { lost: number; failed: number };
  /** Of the record that was lost: its partition; null: none was, or may be any more. */
  lostIn: number | null;
  mayLose: boolean;
  /** Partitions that said `shuffle-gap`. */
  readonly gaps: Set<number>;
  violation: StagesViolation | null;
  fail(invariant: StagesInvariant, message: string): void;
  published(identity: PublishIdentity, output: OutputName, bytes: Uint8Array): void;
  readonly inFlight: (() => Promise<unknown>)[];
  readonly newId: () => string;
  readonly trace: (text: string) => void;
}

const schema = columns({ id: long(), t: timestamp(), k: string() });

const definitionOf = (partitions: number): QueryDefinition =>
  readStream(kinesis({ stream: "source", name: "source", schema }))
    .withWatermark("t", `${DELAY_MS} milliseconds`)
    .groupBy(window("t", `${WINDOW_MS} milliseconds`), "k")
    .agg({ n: count(), ids: collectList("id") })
    .writeStream({ queryName: "q", outputMode: "append", sink: memory(), options: { statePartitions: partitions } })
    .definition;

export function newStagesWorld(config: StagesConfig, choices: Choices, trace: (text: string) => void): StagesWorld {
  const clock = { time: START };
  const now = () => clock.time;
  const bytesOf = new Map<string, string>();
  let ids = 0;
  const world: StagesWorld = {
    config,
    choices,
    clock,
    plan: newScheduler(),
    definition: definitionOf(config.partitions),
    source: newStream(config.shards, now),
    shuffle: newStream(config.shuffleShards, now),
    log: memoryCheckpointLog(now),
    objects: memoryObjectStore(now),
    sink: memorySink(),
    sent: [],
    faults: { lost: config.lost, failed: config.failed },
    lostIn: null,
    mayLose: config.loses,
    gaps: new Set(),
    violation: null,
    fail(invariant, message) {
      world.violation ??= new StagesViolation(invariant, message);
    },
    published({ partition, batchId }, output, bytes) {
      const id = `${partition} ${batchId} ${output}`;
      const text = Buffer.from(bytes).toString("base64");
      if (bytesOf.has(id) && bytesOf.get(id) !== text) world.fail("same-bytes", `${id} is published with other bytes`);
      bytesOf.set(id, text);
    },
    inFlight: [],
    newId: () => `id${++ids}`,
    trace,
  };
  return world;
}
