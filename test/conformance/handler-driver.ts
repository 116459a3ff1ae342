import { NO_REGISTERS } from "../../lib/checkpoint/registers.js";
import type { StreamingQuery } from "../../lib/runtime/streaming-query.js";
import type { Sink } from "../../lib/sinks/sink.js";
import { isoTime } from "../../lib/time/iso-time.js";
import { type Engine, engine, send } from "../runtime/support/engine.js";
import { type ScanWay, scanOptions } from "../scan-way.js";
import { errorDiffers, near, outputOf, text } from "./compare.js";
import { defineCase } from "./define-case.js";
import type { DrivenStep, Driver } from "./driver.js";
import {
  type GoldenBatch,
  type GoldenCase,
  type GoldenStep,
  type JsonRow,
  payloadOf,
  SCRIPTED,
  type StepResult,
} from "./golden-case.js";
import { type CaseRun, playCase, scriptedFailure } from "./play-case.js";
import { schemaOf } from "./read-plan.js";
import { forgetSources, type SourceMemory, sparkPartition } from "./spark-partition.js";
import { decodeRow, encodeRow, readable } from "./values.js";

/**
 * The same cases through the runtime and the ring, over memory: one delivery per input and step, real decoding, commits and
 * publication. Data pass and follow-up pass are one commit, so steps are compared as wholes (SEMANTICS 0.1).
 */
export const handlerDriver = (way: ScanWay): Driver => ({
  run: (golden) =>
    playCase(golden, async () => {
      const run = new HandlerRun(golden, way);
      await run.start();
      return run;
    }),
  compare: compareWholes,
});

class HandlerRun implements CaseRun {
  private readonly engine: Engine;
  private query!: StreamingQuery;
  private definition;
  private conf;
  private sent = 0;
  private seenRows = 0;
  /** What the source sends again, because the invocation that got it failed. */
  private pending: Parameters<StreamingQuery["processBatch"]>[0] = [];
  private failing = false;
  /** The first output of the last step failed, that of its data. */
  private failedFirst = false;
  private readonly memory: SourceMemory = { registers: NO_REGISTERS };

  constructor(
    private readonly golden: GoldenCase,
    way: ScanWay,
  ) {
    this.conf = golden.conf;
    this.definition = defineCase(golden, golden.query, golden.conf);
    const readTable = async ({ name }: { readonly name: string }) => {
      const input = golden.inputs[name]!;
      return input.static!.map((row) => decodeRow(row, schemaOf(input)));
    };
    this.engine = engine(this.definition, {
      readTable,
      ...scanOptions(way, golden.name.length),
      wrapPartition: (partition) => sparkPartition(partition, this.memory),
      sinks: { result: this.sink, late: this.sink, malformed: this.sink },
    });
  }

  /** The engine's own sink, or none while the script says so. */
  private readonly sink: Sink = {
    kind: "memory",
    stage: (batch) => this.engine.sink.stage(batch),
    publish: async (identity, parts) => {
      if (this.failing) throw scriptedFailure();
      await this.engine.sink.publish(identity, parts);
    },
  };

  async start(): Promise<void> {
    this.query = await this.engine.start(this.definition);
  }

  async step(step: GoldenStep, batches: GoldenBatch[]): Promise<void> {
    if (step.restart !== undefined) await this.restart(step.restart, batches);
    this.failing = Boolean(step.failSink);
    this.failedFirst = Number(step.failSink) === 1;
    const deliveries = Object.entries(step.add).flatMap(([source, rows]) => {
      if (rows.length === 0) return [];
      this.sent += rows.length;
      return [
        send(
          this.sent - rows.length,
          rows.map((row) => payloadOf(withReadableTimes(row))),
          { source },
        ),
      ];
    });
    if (deliveries.length === 0) return;
    this.pending = deliveries;
    // Spark computes the batch that failed once more after the restart, which has forgotten its sources; here it is committed.
    if (this.failedFirst) forgetSources(this.memory);
    await this.process(batches);
  }

  private async restart(change: NonNullable<GoldenStep["restart"]>, batches: GoldenBatch[]): Promise<void> {
    this.failing = false;
    if (change !== true) {
      this.conf = { ...this.conf, ...change.conf };
      this.definition = defineCase(this.golden, change.query ?? this.golden.query, this.conf);
    }
    if (!this.failedFirst) forgetSources(this.memory);
    await this.start();
    if (this.pending.length > 0) await this.process(batches);
  }

  private async process(batches: GoldenBatch[]): Promise<void> {
    const { failure } = await this.query.processBatch(this.pending);
    if (failure !== undefined) throw failure;
    this.pending = [];
    const { plan } = this.definition;
    const rows = this.engine.sink.rows();
    const output = rows.slice(this.seenRows).map((row) => encodeRow(row, plan.schema));
    this.seenRows = rows.length;
    // Of the last commit, though it may be that of the invocation whose sink failed.
    const progress = (await this.query.recentProgress()).at(-1)!;
    batches.push({
      batchId: progress.batchId,
      numInputRows: progress.numInputRows,
      output,
      eventTime: { watermark: sparkWatermark(progress.eventTime.watermark) },
      stateOperators: progress.stateOperators.map(({ operatorName, numRowsTotal }) => ({ operatorName, numRowsTotal })),
    });
  }
}

/** None is 1970 to Spark, and so is an earlier one (SEMANTICS 0.5, 0.6). */
export const sparkWatermark = (watermark: string | null): string =>
  isoTime(watermark === null ? 0 : Math.max(0, Date.parse(watermark)));

/** A step, or a step whose sink fails with the restart that follows: its output comes then. */
function wholes<Step extends { readonly error?: unknown }>(steps: readonly (Step | undefined)[], golden: GoldenCase) {
  const groups: Step[][] = [];
  golden.steps.forEach((_, i) => {
    const step = steps[i];
    if (step === undefined) return;
    if (i > 0 && golden.steps[i - 1]!.failSink) groups.at(-1)!.push(step);
    else groups.push([step]);
  });
  return groups;
}

export function compareWholes(golden: GoldenCase, steps: readonly DrivenStep[]): string[] {
  const expected = wholes<StepResult>(
    golden.steps.map((step) => step.expect),
    golden,
  );
  const actual = wholes<DrivenStep>([...steps], golden);
  return expected.flatMap((group, i) => {
    const driven = actual[i];
    if (driven === undefined) return [`steps from ${i} did not run`];
    const [want, got] = [summary(golden, group), summary(golden, driven)];
    const fields = (["output", "watermark", "numRowsTotal"] as const).flatMap((field) =>
      want[field] === null || got[field] === null || near(want[field], got[field])
        ? []
        : [`${field}\n    expected ${text(want[field])}\n    actual   ${text(got[field])}`],
    );
    const error = group.find((step) => step.error !== undefined)?.error;
    const unscripted = error?.class === SCRIPTED ? undefined : error;
    const failed = driven.find((step) => step.error !== undefined && step.error.code !== SCRIPTED)?.error;
    return [...fields, ...errorDiffers(unscripted, failed)].map((difference) => `step ${i}: ${difference}`);
  });
}

/** What a step came to: all its output, and watermark and state rows as its last batch left them; null: no batch ran. */
function summary(golden: GoldenCase, group: readonly { readonly batches: readonly GoldenBatch[] }[]) {
  const batches = group.flatMap((step) => step.batches);
  const last = batches.at(-1);
  return {
    output: outputOf(
      golden,
      batches.flatMap((batch) => batch.output),
    ),
    watermark: last === undefined ? null : (last.eventTime["watermark"] ?? isoTime(0)),
    numRowsTotal: last === undefined ? null : last.stateOperators.map((operator) => operator["numRowsTotal"]),
  };
}

const withReadableTimes = (row: JsonRow): JsonRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? readable(value) : value]),
  );
