import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import { NO_REGISTERS } from "../../lib/checkpoint/registers.js";
import type { Row } from "../../lib/plan/schema.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";
import { openStagedQuery } from "../../lib/runtime/stages/open-staged-query.js";
import type { ShuffledPayload, StagedQuery } from "../../lib/runtime/stages/staged-query.js";
import { memoryShuffleStream } from "../../lib/shuffle/memory-shuffle-stream.js";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import type { PartitionId, Sink } from "../../lib/sinks/sink.js";
import type { Delivery } from "../../lib/sources/source.js";
import { send } from "../runtime/support/engine.js";
import { defineCase } from "./define-case.js";
import type { Driver } from "./driver.js";
import { type GoldenBatch, type GoldenCase, type GoldenStep, payloadOf } from "./golden-case.js";
import { compareWholes, sparkWatermark } from "./handler-driver.js";
import { type CaseRun, playCase, scriptedFailure } from "./play-case.js";
import { schemaOf } from "./read-plan.js";
import { forgetSources, type SourceMemory, sparkPartition } from "./spark-partition.js";
import { decodeRow, encodeRow } from "./values.js";

/**
 * The same cases with N state partitions, by law L1 of docs/design/partitions.md: per step one entry per input and one invocation per
 * partition. Their outputs together, their counters summed, and the watermark of each are those of one partition.
 */
export const partitionsDriver = (partitions: number): Driver => ({
  run: (golden) =>
    playCase(golden, async () => {
      const run = new PartitionsRun(golden, partitions);
      await run.start();
      return run;
    }),
  compare: compareWholes,
});

class PartitionsRun implements CaseRun {
  private readonly clock = { now: () => 1_000_000 };
  private readonly log = memoryCheckpointLog(this.clock.now);
  private readonly objects = memoryObjectStore(this.clock.now);
  private readonly stream = memoryShuffleStream();
  private readonly results = memorySink();
  private readonly memories = new Map<PartitionId, SourceMemory>();
  private query!: StagedQuery;
  private definition;
  private conf;
  private sent = 0;
  private ids = 0;
  private pending: readonly Delivery[] = [];
  /** What each partition gets again, because its sink failed. */
  private unacknowledged: (readonly ShuffledPayload[])[] = [];
  private readonly shown = new Set<string>();
  private failing = false;
  private failedFirst = false;

  constructor(
    private readonly golden: GoldenCase,
    private readonly partitions: number,
  ) {
    this.conf = golden.conf;
    this.definition = defineCase(golden, golden.query, golden.conf, partitions);
  }

  private readonly sink: Sink = {
    kind: "memory",
    stage: (batch) => this.results.stage(batch),
    publish: async (identity, parts) => {
      if (this.failing) throw scriptedFailure();
      await this.results.publish(identity, parts);
    },
  };

  async start(): Promise<void> {
    this.query = await openStagedQuery(this.definition, {
      log: this.log,
      objects: this.objects,
      shuffle: this.stream,
      sinks: { result: this.sink, late: this.sink, malformed: this.sink },
      shardListers: new Map(),
      clock: this.clock,
      newId: () => `id-${this.ids++}`,
      random: () => 0,
      sleep: async () => {},
      onProgress: () => {},
      generation: "next",
      readTable: async ({ name }) => {
        const input = this.golden.inputs[name]!;
        return input.static!.map((row) => decodeRow(row, schemaOf(input)));
      },
      wrapPartition: (partition, id) => sparkPartition(partition, this.memoryOf(id)),
    });
  }

  private memoryOf(id: PartitionId): SourceMemory {
    const memory = this.memories.get(id) ?? { registers: NO_REGISTERS };
    this.memories.set(id, memory);
    return memory;
  }

  async step(step: GoldenStep, batches: GoldenBatch[]): Promise<void> {
    if (step.restart !== undefined) await this.restart(step.restart, batches);
    this.failing = Boolean(step.failSink);
    this.failedFirst = Number(step.failSink) === 1;
    const deliveries = Object.entries(step.add).flatMap(([source, rows]) => {
      if (rows.length === 0) return [];
      this.sent += rows.length;
      return [send(this.sent - rows.length, rows.map(payloadOf), { source })];
    });
    if (deliveries.length === 0) return;
    this.pending = deliveries;
    if (this.failedFirst) this.forget();
    await this.process(batches);
  }

  private async restart(change: NonNullable<GoldenStep["restart"]>, batches: GoldenBatch[]): Promise<void> {
    this.failing = false;
    if (change !== true) {
      this.conf = { ...this.conf, ...change.conf };
      this.definition = defineCase(this.golden, change.query ?? this.golden.query, this.conf, this.partitions);
    }
    if (!this.failedFirst) this.forget();
    await this.start();
    if (this.pending.length > 0) await this.process(batches);
  }

  private forget(): void {
    for (const memory of this.memories.values()) forgetSources(memory);
  }

  /** Of batches that no step before has shown: a restart publishes again what it cannot know to be published. */
  private newRows(): readonly Row[] {
    return this.results.batches().flatMap(({ identity: { partition, batchId }, rows }) => {
      const id = `${partition} ${batchId}`;
      if (this.shown.has(id)) return [];
      this.shown.add(id);
      return rows;
    });
  }

  private async process(batches: GoldenBatch[]): Promise<void> {
    const { failure } = await this.query.processBatch(this.pending);
    if (failure !== undefined) throw failure;
    const failures: unknown[] = [];
    for (let partition = 0; partition < this.partitions; partition++) {
      const records = [...(this.unacknowledged[partition] ?? []), ...this.stream.take(partition)];
      this.unacknowledged[partition] = records;
      try {
        const outcome = await this.query.processShuffled(records);
        if (outcome.failure !== undefined) throw outcome.failure;
        this.unacknowledged[partition] = [];
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    this.pending = [];
    const { plan } = this.definition;
    const latest = new Map<number, QueryProgress>();
    for (const progress of await this.query.recentProgress())
      if (progress.stage?.name === "state") latest.set(progress.stage.partition, progress);
    const all = [...latest.values()];
    const watermarks = [...new Set(all.map(({ eventTime }) => sparkWatermark(eventTime.watermark)))];
    batches.push({
      batchId: all[0]!.batchId,
      numInputRows: all.reduce((sum, { numInputRows }) => sum + numInputRows, 0),
      output: this.newRows().map((row) => encodeRow(row, plan.schema)),
      // Of partitions that differ, both: no recording has such a watermark.
      eventTime: { watermark: watermarks.join(" and ") },
      stateOperators: all[0]!.stateOperators.map(({ operatorName }, at) => ({
        operatorName,
        numRowsTotal: all.reduce((sum, { stateOperators }) => sum + stateOperators[at]!.numRowsTotal, 0),
      })),
    });
  }
}
