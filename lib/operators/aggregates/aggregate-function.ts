import type { ColumnBatch } from "../../columns/column-batch.js";

/**
 * One aggregate over a flat accumulator: all aggregates of a group share one array, each owns `slots` places from `at` on.
 * A state row is then a short array of numbers. Slots hold what the row codec takes, except between `open` and `seal`.
 */
export interface AggregateFunction {
  readonly slots: number;
  init(state: unknown[], at: number): void;
  /** Adds rows of a batch, each to the state of its group. */
  over(batch: ColumnBatch): (state: unknown[], at: number, row: number) => void;
  /** Adds what `other` has seen after what `state` has seen; may take over parts of `other`. */
  merge(state: unknown[], at: number, other: readonly unknown[]): void;
  finish(state: readonly unknown[], at: number): unknown;
  /** From the stored form, which is shared and stays as it is, to one that `update` may change in place. */
  open?(state: unknown[], at: number): void;
  /** Back to the stored form. */
  seal?(state: unknown[], at: number): void;
}
