import { rowBatch } from "../../lib/columns/column-batch.js";
import { checkCompatible } from "../../lib/plan/check-compatible.js";
import { fingerprintOf } from "../../lib/plan/fingerprint.js";
import type { QueryDefinition } from "../../lib/plan/logical-plan.js";
import { dataPass, noDataPass, runPass } from "../../lib/planner/passes.js";
import type { PassResult, PhysicalQuery } from "../../lib/planner/physical-query.js";
import { planQuery } from "../../lib/planner/plan-query.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { collectPass } from "../planner/collect-pass.js";
import { compareStepByStep } from "./compare.js";
import { defineCase } from "./define-case.js";
import type { Driver } from "./driver.js";
import type { GoldenBatch, GoldenCase, GoldenConf, GoldenStep, JsonRow } from "./golden-case.js";
import { type CaseRun, playCase, scriptedFailure } from "./play-case.js";
import { schemaOf } from "./read-plan.js";
import { SparkWatermark } from "./spark-watermark.js";
import { decodeRow, encodeRow } from "./values.js";

type Added = GoldenStep["add"];

/** The operators without the runtime, batch by batch as Spark runs them: data pass and follow-up pass are two batches (SEMANTICS 0.1). */
export const engineDriver: Driver = {
  run: (golden) => playCase(golden, () => new EngineRun(golden)),
  compare: compareStepByStep,
};

class EngineRun implements CaseRun {
  private readonly state = memoryState();
  private readonly watermark = new SparkWatermark();
  private conf: GoldenConf;
  private definition: QueryDefinition;
  private query: PhysicalQuery;
  private batchId = 0;
  /** The rows of the batch that failed before its commit; it runs again with the same ones (SEMANTICS I4). */
  private pending: Added | null = null;
  /** Outputs of this step until the sink fails; 0: it does not. */
  private failAt = 0;

  constructor(private readonly golden: GoldenCase) {
    this.conf = golden.conf;
    this.definition = defineCase(golden, golden.query, golden.conf);
    this.query = this.plan();
  }

  private plan(): PhysicalQuery {
    const staticRows = (name: string) => {
      const input = this.golden.inputs[name]!;
      return input.static!.map((row) => decodeRow(row, schemaOf(input)));
    };
    return planQuery(this.definition, {
      staticRows,
      onEventTime: (nodeId, eventTime) => this.watermark.observe(nodeId, eventTime),
    });
  }

  step(step: GoldenStep, batches: GoldenBatch[]): void {
    if (step.restart !== undefined) this.restart(step.restart, batches);
    this.failAt = Number(step.failSink ?? 0);
    if (Object.values(step.add).some((rows) => rows.length > 0)) {
      this.batch(step.add, batches);
      this.drain(batches);
    }
  }

  private restart(change: NonNullable<GoldenStep["restart"]>, batches: GoldenBatch[]): void {
    this.failAt = 0;
    this.watermark.restart();
    if (change !== true) {
      const stored = fingerprintOf(this.definition);
      // The watermark policy is the checkpoint's (SEMANTICS I3).
      const { multipleWatermarkPolicy: _, ...conf } = change.conf ?? {};
      this.conf = { ...this.conf, ...conf };
      this.definition = defineCase(this.golden, change.query ?? this.golden.query, this.conf);
      checkCompatible(stored, fingerprintOf(this.definition));
    }
    this.query = this.plan();
    if (this.pending === null) return;
    this.batch(this.pending, batches);
    this.drain(batches);
  }

  /** Batches without data, for as long as the watermark moves (SEMANTICS A9). */
  private drain(batches: GoldenBatch[]): void {
    const wanted = this.query.wantsNoDataPass && this.definition.options.noDataMicroBatches;
    while (noDataPass(wanted, this.watermarks()) !== null) this.batch({}, batches);
  }

  private watermarks() {
    return { lastPassWatermark: this.watermark.last, watermark: this.watermark.global };
  }

  private batch(add: Added, batches: GoldenBatch[]): void {
    const { query, watermark } = this;
    this.pending = add;
    watermark.beginBatch();
    const staged = this.state.stage();
    let numInputRows = 0;
    const options = { ...dataPass(this.watermarks()), processingTime: 0, state: staged };
    const pass = collectPass(
      runPass(query, options, () => {
        numInputRows = this.feed(add);
      }),
    );
    if (this.failAt > 0 && --this.failAt === 0) throw scriptedFailure();
    this.state.commit(staged);
    batches.push({
      batchId: this.batchId++,
      numInputRows,
      output: pass.output.map((row) => encodeRow(row, query.outputSchema)),
      eventTime: watermark.report(query.watermarks),
      stateOperators: pass.stateOperators.map(sparkMetrics),
    });
    watermark.commit(query.watermarks, this.definition.watermarkPolicy);
    this.pending = null;
  }

  /** All rows of all inputs, in node order; returns how many were read. */
  private feed(add: Added): number {
    let read = 0;
    this.query.sources.forEach(({ name, schema }, source) => {
      const rows = (add[name] ?? []).map((row: JsonRow) => decodeRow(row, schema));
      if (rows.length === 0) return;
      read += this.query.process(source, {
        batch: rowBatch(rows),
        shard: "0",
        arrivals: null,
        maxFutureSkewMs: null,
      });
    });
    return read;
  }
}

function sparkMetrics(metrics: PassMetrics): Record<string, string | number> {
  const { operatorName, numRowsTotal, numRowsUpdated, numRowsRemoved, numRowsDroppedByWatermark } = metrics;
  const duplicates = metrics.numDroppedDuplicateRows;
  return {
    operatorName,
    numRowsTotal,
    numRowsUpdated,
    numRowsRemoved,
    numRowsDroppedByWatermark,
    ...(duplicates === undefined ? {} : { numDroppedDuplicateRows: duplicates }),
  };
}

type PassMetrics = PassResult["stateOperators"][number];
