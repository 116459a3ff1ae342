import type { Row } from "../../plan/schema.js";

/**
 * One aggregate over a flat accumulator: all aggregates of a group share one array, each owns `slots` places from `at` on.
 * A state row is then a short array of numbers. Slots hold what the row codec takes, except between `open` and `seal`.
 */
export interface AggregateFunction {
  readonly slots: number;
  init(state: unknown[], at: number): void;
  update(state: unknown[], at: number, row: Row): void;
  /** Adds what `other` has seen after what `state` has seen; may take over parts of `other`. */
  merge(state: unknown[], at: number, other: readonly unknown[]): void;
  finish(state: readonly unknown[], at: number): unknown;
  /** From the stored form, which is shared and stays as it is, to one that `update` may change in place. */
  open?(state: unknown[], at: number): void;
  /** Back to the stored form. */
  seal?(state: unknown[], at: number): void;
}
