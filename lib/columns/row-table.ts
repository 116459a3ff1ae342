import type { Row } from "../plan/schema.js";
import type { Table } from "./table.js";
import type { Vector } from "./vector.js";

/** Rows that are objects already: nothing is copied. */
export const rowTable = (rows: readonly Row[]): Table => ({
  column: (name) => new MemberVector(rows, name),
  row: (row) => rows[row]!,
  cursor: () => (row) => rows[row]!,
});

class MemberVector implements Vector {
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
