import type { Row } from "../plan/schema.js";
import { cursorOf } from "./cursor.js";
import type { Table } from "./table.js";
import { ValueVector } from "./value-vector.js";
import type { Vector } from "./vector.js";

/** Makes tables of these columns from one vector each. */
export function vectorTables(names: readonly string[]): (vectors: readonly Vector[]) => Table {
  const cursor = cursorOf(names);
  return (vectors) => {
    const table: Table = {
      column(name) {
        const at = names.indexOf(name);
        return at < 0 ? ALL_NULL : vectors[at]!;
      },
      row(at) {
        const row: Row = {};
        for (let i = 0; i < names.length; i++) row[names[i]!] = vectors[i]!.get(at);
        return row;
      },
      cursor: () => cursor(table),
    };
    return table;
  };
}

/** A column that a table has not. */
export const ALL_NULL: Vector = new ValueVector([]);
