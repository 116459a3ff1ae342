import type { Row } from "../plan/schema.js";
import type { Vector } from "./vector.js";

/** Rows as columns. */
export interface Table {
  /** A column that no row has is all NULL. */
  column(name: string): Vector;
  /** The row as an object, with every column of its schema, for whoever keeps one; not to be changed. */
  row(row: number): Row;
  /** Shows a row as an object, which may show another at the next call: for who reads a few columns of it and is done. */
  cursor(): (row: number) => Row;
}
