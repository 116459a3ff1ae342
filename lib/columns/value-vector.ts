import type { Vector } from "./vector.js";

/** Any values: structs, lists, booleans, longs beyond 2^53, what an expression has computed. */
export class ValueVector implements Vector {
  constructor(
    /** Where a row is not of the batch, anything. */
    readonly values: readonly unknown[],
  ) {}

  get(row: number): unknown {
    return this.values[row] ?? null;
  }

  gather(rows: Int32Array): ValueVector {
    return new ValueVector(Array.from(rows, (row) => this.values[row]));
  }
}
