import type { ColumnBatch } from "../columns/column-batch.js";
import type { OutputMode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import type { StateRow, StateStore, TableSpec } from "../state/state-store.js";
import type { Micros, Watermark } from "../time/event-time.js";
import { inBatches } from "./in-batches.js";

/** What all aggregations are to the planner: one table; an advanced watermark lets groups out, and comes through as it is. */
export const emitter = (operatorId: string, table: TableSpec, outputMode: OutputMode) => ({
  operatorId,
  tables: [table],
  wantsNoDataPass: outputMode !== "complete",
  outputWatermark: (inputWatermark: Watermark) => inputWatermark,
});

/** Groups as the pass left them. */
interface GroupsOfPass<Value> {
  readonly store: StateStore<Value>;
  /** Touched by rows that were not late, in the order of their first row. */
  readonly touched: Iterable<StateRow<Value>>;
  /** What the watermark closes; null: this operator never evicts. */
  readonly evictThrough: Micros | null;
}

/**
 * What an aggregation emits and what it forgets (SEMANTICS C3). append: a group once, when the watermark closes it.
 * update: every touched group, also one that closes now; closing is silent. complete: everything, and nothing is forgotten.
 * Returns how many groups were removed.
 */
export function* emitGroups<Value>(
  outputMode: OutputMode,
  { store, touched, evictThrough }: GroupsOfPass<Value>,
  resultOf: (group: StateRow<Value>) => Row,
): Generator<ColumnBatch, number> {
  if (outputMode === "complete") {
    yield* inBatches(results(store.rows(), resultOf));
    return 0;
  }
  if (outputMode === "update") yield* inBatches(results(touched, resultOf));
  if (evictThrough === null) return 0;
  if (outputMode === "append") yield* inBatches(results(store.expired(evictThrough), resultOf));
  return store.expireThrough(evictThrough);
}

function* results<Value>(
  groups: Iterable<StateRow<Value>>,
  resultOf: (group: StateRow<Value>) => Row,
): Generator<Row, void> {
  for (const group of groups) yield resultOf(group);
}
