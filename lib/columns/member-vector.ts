import type { Row } from "../plan/schema.js";
import type { Vector } from "./vector.js";

/** A column of rows that are objects already: nothing is copied. */
export class MemberVector implements Vector {
  constructor(
    private readonly rows: readonly Row[],
    private readonly name: string,
  ) {}

  get(row: number): unknown {
    return this.rows[row]![this.name] ?? null;
  }

  gather(rows: Int32Array): MemberVector {
    return new MemberVector(
      Array.from(rows, (row) => this.rows[row]!),
      this.name,
    );
  }
}
