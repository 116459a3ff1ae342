/**
 * The values of one column, found by the number of the row in its table. Which class it is decides what a kernel may read
 * directly; `get` answers for every one of them.
 */
export interface Vector {
  /** NULL is null, never undefined. */
  get(row: number): unknown;
  /** The values of those rows, in that order; a row may come more than once. */
  gather(rows: Int32Array): Vector;
}
