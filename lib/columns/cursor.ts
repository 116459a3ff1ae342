import type { Row } from "../plan/schema.js";
import type { Table } from "./table.js";
import type { Vector } from "./vector.js";

/** Makes cursors over tables of these columns: an object with a getter for each, which reads a vector when it is asked. */
export function cursorOf(names: readonly string[]): (table: Pick<Table, "column">) => (row: number) => Row {
  class Cursor {
    #at = 0;
    readonly #table: Pick<Table, "column">;
    readonly #vectors: (Vector | undefined)[] = names.map(() => undefined);

    constructor(table: Pick<Table, "column">) {
      this.#table = table;
    }

    static readonly move = (cursor: Cursor, row: number): Row => {
      cursor.#at = row;
      return cursor as unknown as Row;
    };

    static readonly read = (cursor: Cursor, index: number): unknown => {
      let vector = cursor.#vectors[index];
      if (vector === undefined) {
        vector = cursor.#table.column(names[index]!);
        cursor.#vectors[index] = vector;
      }
      return vector.get(cursor.#at);
    };
  }
  names.forEach((name, index) => {
    Object.defineProperty(Cursor.prototype, name, {
      get(this: Cursor) {
        return Cursor.read(this, index);
      },
    });
  });
  return (table) => {
    const cursor = new Cursor(table);
    return (row) => Cursor.move(cursor, row);
  };
}
