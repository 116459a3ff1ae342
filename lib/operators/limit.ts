import type { StateStore, TableSpec } from "../state/state-store.js";
import { firstOf } from "./batch-rows.js";
import { NO_BATCHES, type Operator, type StatefulOperator } from "./operator.js";
import { noCounts, operatorMetrics } from "./pass-counts.js";

/** limit over a complete result: the first n rows of the pass, nothing is kept (SEMANTICS G2). */
export function passLimit(n: number): Operator {
  let left = n;
  return {
    beginPass() {
      left = n;
    },
    process(batch) {
      const first = firstOf(batch, left);
      left -= first.length;
      return first;
    },
    endPass: () => NO_BATCHES,
  };
}

export interface StreamLimit extends StatefulOperator {
  /** Rows more that it will read in this pass: as Spark, at most n of a batch are read below it (SEMANTICS G2). */
  readonly remaining: number;
}

/** limit in append mode: the first n rows of the whole stream. One state row counts them. */
export function streamLimit(operatorId: string, n: number): StreamLimit {
  const table: TableSpec = { operatorId, table: "passed", locate: "key" };
  let store: StateStore<number>;
  let before = 0;
  let passed = 0;
  let rowsIn = 0;
  return {
    operatorId,
    tables: [table],
    wantsNoDataPass: false,
    outputWatermark: (inputWatermark) => inputWatermark,
    beginPass(context) {
      store = context.state.table<number>(table);
      before = store.get("") ?? 0;
      passed = before;
      rowsIn = 0;
    },
    process(batch) {
      rowsIn += batch.length;
      const first = firstOf(batch, n - passed);
      passed += first.length;
      return first;
    },
    endPass() {
      if (passed !== before) store.put("", passed, null);
      return NO_BATCHES;
    },
    get remaining() {
      return Math.max(n - rowsIn, 0);
    },
    metrics() {
      const updated = passed === before ? 0 : 1;
      return operatorMetrics("globalLimit", operatorId, store.size, {
        ...noCounts(),
        rowsIn,
        accepted: rowsIn,
        updated,
      });
    },
  };
}
