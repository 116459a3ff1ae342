import type { Vector } from "./vector.js";

/** Longs as long as every one is a safe integer, ints, doubles and event times. */
export class NumberVector implements Vector {
  constructor(
    /** Meaningless where the row is NULL. */
    readonly values: Float64Array,
    /** 1 where the row is NULL; null: none is. */
    readonly nulls: Uint8Array | null,
  ) {}

  get(row: number): number | null {
    return this.nulls !== null && this.nulls[row] === 1 ? null : this.values[row]!;
  }

  gather(rows: Int32Array): NumberVector {
    const { values, nulls } = this;
    return new NumberVector(
      Float64Array.from(rows, (row) => values[row]!),
      nulls === null ? null : Uint8Array.from(rows, (row) => nulls[row]!),
    );
  }
}
