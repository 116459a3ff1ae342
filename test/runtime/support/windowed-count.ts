import type { LateRow, OperatorMetrics } from "../../../lib/operators/operator.js";
import type { Schema } from "../../../lib/plan/schema.js";
import type {
  Observation,
  PassOptions,
  PassOutput,
  PassResult,
  PhysicalQuery,
} from "../../../lib/planner/physical-query.js";
import type { TableSpec } from "../../../lib/state/state-store.js";

export const COUNT_SCHEMA: Schema = {
  fields: [
    { name: "window", type: "window", nullable: false },
    { name: "count", type: "long", nullable: false },
  ],
};

const SPEC: TableSpec = { operatorId: "count", table: "groups", locate: "expiry" };

export interface CountOptions {
  readonly sizeMs: number;
  readonly delayMs: number;
  /** Called for every row before it is counted. */
  readonly visit?: (row: Record<string, unknown>) => void;
  /** Forgets this row between rowsIn and accepted: a planted loss. */
  readonly loses?: (row: Record<string, unknown>) => boolean;
  readonly sources?: readonly string[];
}

/** Rows per tumbling window in plain loops: a physical query for tests of the runtime alone. `t` is event time in ms. */
export function windowedCount({ sizeMs, delayMs, visit, loses, sources = ["input"] }: CountOptions): PhysicalQuery {
  let pass: PassOptions;
  let observed: Map<string, Observation>;
  let late: LateRow[];
  let metrics: { rowsIn: number; accepted: number; late: number; ignored: number };
  return {
    sources: sources.map((name) => ({ name, schema: { fields: [{ name: "t", type: "timestamp", nullable: false }] } })),
    watermarks: [{ id: "w", delayMs, sources: sources.map((_, at) => at) }],
    stateful: [],
    tables: [SPEC],
    outputSchema: COUNT_SCHEMA,
    wantsNoDataPass: true,
    beginPass(options) {
      pass = options;
      observed = new Map();
      late = [];
      metrics = { rowsIn: 0, accepted: 0, late: 0, ignored: 0 };
    },
    process(source, { batch, shard, arrivals, maxFutureSkewMs }) {
      const table = pass.state.table<number>(SPEC);
      batch.selection.forEach((at) => {
        const row = batch.row(at);
        visit?.(row);
        const time = row["t"] as number;
        const arrival = arrivals?.[batch.origin(at)!.record] ?? null;
        if (arrival !== null && maxFutureSkewMs !== null && time > arrival + maxFutureSkewMs) metrics.ignored++;
        else {
          const key = `${source}/${shard}`;
          const known = observed.get(key);
          const max = Math.max(known?.maxEventTime ?? Number.NEGATIVE_INFINITY, time);
          const steps = [...(known?.steps ?? [])];
          if (arrival !== null && (known === undefined || time > known.maxEventTime))
            steps.push({ arrival, maxEventTime: max });
          observed.set(key, { node: 0, source, shard, maxEventTime: max, steps });
        }
        metrics.rowsIn++;
        const start = Math.floor(time / sizeMs) * sizeMs;
        const end = start + sizeMs;
        if (loses?.(row)) return;
        if (end <= pass.watermarkForLateEvents) {
          metrics.late++;
          const watermark = pass.watermarkForLateEvents;
          const missed = [{ start, end }];
          late.push({ operatorId: "count", row, origin: batch.origin(at)!, eventTime: time, watermark, missed });
          return;
        }
        metrics.accepted++;
        table.put(String(start), (table.get(String(start), end * 1000) ?? 0) + 1, end * 1000);
      });
      return batch.length;
    },
    *endPass(): Generator<PassOutput, PassResult> {
      const table = pass.state.table<number>(SPEC);
      const through = pass.watermarkForEviction * 1000;
      const output = [...table.expired(through)].map(({ key, value }) => ({
        window: { start: Number(key), end: Number(key) + sizeMs },
        count: value,
      }));
      const numRowsRemoved = table.expireThrough(through);
      const operator: OperatorMetrics = {
        operatorName: "stateStoreSave",
        operatorId: "count",
        numRowsTotal: table.size,
        numRowsUpdated: metrics.accepted,
        numRowsRemoved,
        numRowsDroppedByWatermark: new Set(late.map(({ missed }) => missed?.[0]?.start)).size,
        rowsIn: metrics.rowsIn,
        accepted: metrics.accepted,
        numLateInputRows: metrics.late,
        withoutTime: 0,
        partlyLate: 0,
      };
      yield { output, late, withoutTime: [] };
      return {
        numOutputRows: output.length,
        numLateRows: late.length,
        numRowsWithoutTime: 0,
        observations: [...observed.values()],
        eventTime: null,
        stateOperators: [operator],
        rowsIgnoredForWatermark: metrics.ignored,
        filtered: 0,
      };
    },
  };
}
