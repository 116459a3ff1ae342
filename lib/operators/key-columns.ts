import type { ColumnBatch } from "../columns/column-batch.js";
import type { Dictionary } from "../columns/dictionary.js";
import { TextVector } from "../columns/text-vector.js";
import type { Vector } from "../columns/vector.js";
import type { Field, Row } from "../plan/schema.js";
import { decodeKey, encodeKey } from "../state/key-codec.js";

/** The key of a stateful operator: rows to canonical strings, and back to a row of the key columns alone. NULLs are equal. */
export interface KeyColumns {
  readonly names: readonly string[];
  encode(row: Row): string;
  /** The keys of a batch's rows. */
  over(batch: ColumnBatch): (row: number) => string;
  decode(key: string): Row;
}

/** `vectors` where a key is computed and not a column; it says what its row holds. */
export function keyColumns(
  fields: readonly Field[],
  vectors: readonly ((batch: ColumnBatch) => Vector)[] = fields.map(
    ({ name }) =>
      (batch) =>
        batch.column(name),
  ),
): KeyColumns {
  const names = fields.map((field) => field.name);
  const types = fields.map((field) => field.type);
  const textKeys = new WeakMap<Dictionary, string[]>();

  /** The keys of a column of text are made once for every text, not for every row. */
  function overTexts(vector: TextVector): (row: number) => string {
    const { ids, dictionary } = vector;
    const known = textKeys.get(dictionary) ?? [];
    textKeys.set(dictionary, known);
    return (row) => {
      const id = ids[row]!;
      if (id < 0) return encodeKey([null], types);
      const key = known[id];
      if (key !== undefined) return key;
      const made = encodeKey([dictionary.text(id)], types);
      known[id] = made;
      return made;
    };
  }

  return {
    names,
    encode: (row) =>
      encodeKey(
        names.map((name) => row[name] ?? null),
        types,
      ),
    over(batch) {
      const columns = vectors.map((vector) => vector(batch));
      if (columns.length === 1 && types[0] === "string" && columns[0] instanceof TextVector)
        return overTexts(columns[0]);
      return (row) =>
        encodeKey(
          columns.map((column) => column.get(row)),
          types,
        );
    },
    decode: (key) => {
      const values = decodeKey(key, types);
      const row: Row = {};
      for (let i = 0; i < names.length; i++) row[names[i]!] = values[i];
      return row;
    },
  };
}
