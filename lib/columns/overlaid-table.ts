import type { Table } from "./table.js";
import type { Vector } from "./vector.js";

/** A table with one column replaced; a row that another branch shares is copied, not changed. */
export function overlaid(table: Table, name: string, vector: Vector): Table {
  const row = (at: number) => ({ ...table.row(at), [name]: vector.get(at) });
  return { column: (other) => (other === name ? vector : table.column(other)), row, cursor: () => row };
}
