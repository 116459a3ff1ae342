import type { StatePartition } from "../../checkpoint/state-partition.js";
import type { ShuffleQuery } from "../../planner/plan-stages.js";
import { ringId } from "../../shuffle/ring-id.js";
import { PART_LIMITS } from "../../shuffle/shuffle-parts.js";
import type { ShuffleSinkOptions } from "../../shuffle/shuffle-sink.js";
import type { PartitionId } from "../../sinks/sink.js";
import type { Delivery } from "../../sources/source.js";
import type { Clock } from "../clock.js";
import type { MicroBatchOutcome } from "../micro-batch.js";
import type { OpenedCheckpoint } from "../open-streaming-query.js";
import type { Deadline } from "../ports.js";
import type { QueryProgress } from "../progress.js";
import type { PreparedRuntime } from "../query-runtime.js";
import { partitionCache } from "./partition-cache.js";
import { parseRecord, type ShuffledRecord } from "./receive-records.js";
import { runShuffleBatch } from "./shuffle-batch.js";
import type { ShuffleStage } from "./shuffle-stage.js";
import { sendTick } from "./shuffle-tick.js";
import type { CutInputs } from "./shuffled-rows.js";
import { runStateBatch, type StateOutcome } from "./state-batch.js";

/** A record of the shuffle stream as its reader gets it. */
export interface ShuffledPayload {
  /** Decimal digits. */
  readonly sequence: string;
  readonly data: Uint8Array;
}

/** A running query of one environment, in two stages. Calls must not overlap. */
export interface StagedQuery {
  readonly name: string;
  /** N. */
  readonly partitions: number;
  /** First stage: rows of source shards into their rings, and on to the shuffle stream. */
  processBatch(deliveries: readonly Delivery[], deadline?: Deadline | null): Promise<MicroBatchOutcome>;
  /**
   * Second stage: what one invocation got from one shard of the shuffle stream, ascending. Its partitions run one after the other; the
   * answer is the lowest number that was not committed (S18).
   */
  processShuffled(records: readonly ShuffledPayload[], deadline?: Deadline | null): Promise<StateOutcome>;
  /** Tells every partition what the shards of the sources have shown. */
  tick(deadline?: Deadline | null): Promise<void>;
  /** Has every partition emit all that waits, and close. */
  drain(deadline?: Deadline | null): Promise<void>;
  /** Of this environment. */
  lastProgress(): QueryProgress | null;
  /** The last 64 commits of each partition, partition by partition, oldest first. */
  recentProgress(): Promise<readonly QueryProgress[]>;
}

interface StagedParts {
  readonly checkpoint: OpenedCheckpoint;
  readonly clock: Clock;
  readonly partitions: number;
  readonly shuffle: ShuffleQuery;
  readonly inputs: CutInputs;
  readonly partitionOf: ShuffleStage["partitionOf"];
  readonly shuffleRuntime: PreparedRuntime;
  readonly stateRuntime: PreparedRuntime;
  readonly stream: ShuffleSinkOptions;
  readonly partRows?: number;
  readonly wrapPartition?: (partition: StatePartition, id: PartitionId) => StatePartition;
}

/** Puts the stages together; reads and writes nothing. */
export function stagedQuery(parts: StagedParts): StagedQuery {
  const { checkpoint, partitions, shuffle, inputs, partitionOf, stream } = parts;
  const { incarnation, generation, maxStateBytes, definition } = checkpoint;
  const { runtime, events } = parts.stateRuntime;
  const open = (id: PartitionId): StatePartition => {
    const partition = checkpoint.partition(id, typeof id === "number" ? runtime.query.tables : []);
    return parts.wrapPartition?.(partition, id) ?? partition;
  };
  const cache = partitionCache(open, maxStateBytes);
  const stage: ShuffleStage = {
    runtime: parts.shuffleRuntime.runtime,
    shuffle,
    inputs,
    partitions,
    partitionOf,
    incarnation,
    generation,
    ringOf: (source, shard) => cache.get(ringId(source, shard)),
    stream,
    limits: parts.partRows === undefined ? PART_LIMITS : { ...PART_LIMITS, rows: parts.partRows },
  };

  async function runPartition(
    partition: number,
    records: readonly ShuffledRecord[],
    deadline: Deadline | null,
  ): Promise<StateOutcome> {
    const reader = { query: definition.queryName, incarnation, generation, partition };
    const held = cache.get(partition);
    const outcome = await runStateBatch({ runtime, partition: held, reader, inputs }, records, deadline);
    cache.used(partition, held.stage().stateBytes);
    return outcome;
  }

  events.started();
  return {
    name: definition.queryName,
    partitions,
    async processBatch(deliveries, deadline = null) {
      const outcomes: MicroBatchOutcome[] = [];
      for (const delivery of deliveries) outcomes.push(await events.watch(runShuffleBatch(stage, delivery, deadline)));
      return {
        progress: outcomes.at(-1)?.progress ?? null,
        unprocessed: outcomes.flatMap(({ unprocessed }) => unprocessed),
        failure: outcomes.find(({ failure }) => failure !== undefined)?.failure,
      };
    },
    async processShuffled(payloads, deadline = null) {
      const byPartition = new Map<number, ShuffledRecord[]>();
      for (const record of payloads.map(parseRecord)) {
        const own = byPartition.get(record.head.partition) ?? [];
        byPartition.set(record.head.partition, own);
        own.push(record);
      }
      const outcomes: StateOutcome[] = [];
      for (const [partition, records] of byPartition)
        outcomes.push(await events.watch(runPartition(partition, records, deadline)));
      return {
        progress: outcomes.flatMap(({ progress }) => progress),
        firstLeft: lowest(outcomes.flatMap(({ firstLeft }) => firstLeft ?? [])),
        failure: outcomes.find(({ failure }) => failure !== undefined)?.failure,
      };
    },
    tick: () => sendTick(stage, "tick"),
    drain: () => sendTick(stage, "drain"),
    lastProgress: () => parts.stateRuntime.lastProgress() ?? parts.shuffleRuntime.lastProgress(),
    async recentProgress() {
      const all: QueryProgress[] = [];
      for (let partition = 0; partition < partitions; partition++)
        all.push(...((await cache.get(partition).recentProgress()) as readonly QueryProgress[]));
      return all;
    },
  };
}

const lowest = (sequences: readonly string[]): string | null =>
  sequences.length === 0 ? null : sequences.reduce((a, b) => (BigInt(a) <= BigInt(b) ? a : b));
