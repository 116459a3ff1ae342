import type { ColumnBatch } from "../columns/column-batch.js";
import type { Dictionary } from "../columns/dictionary.js";
import { TextVector } from "../columns/text-vector.js";
import type { Vector } from "../columns/vector.js";
import type { DataType, Field, Row } from "../plan/schema.js";
import { decodeKey, encodeKey, FIELD_END } from "../state/key-codec.js";

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
  const single = names.length === 1;
  const parts = types.map((type) => keyParts(type, single ? "" : FIELD_END));

  return {
    names,
    encode: (row) =>
      encodeKey(
        names.map((name) => row[name] ?? null),
        types,
      ),
    over(batch) {
      const [first, ...others] = vectors.map((vector, i) => parts[i]!(vector(batch)));
      if (first === undefined) return () => "";
      if (others.length === 0) return first;
      return (row) => {
        let key = first(row);
        for (let i = 0; i < others.length; i++) key += others[i]!(row);
        return key;
      };
    },
    decode: (key) => {
      const values = decodeKey(key, types);
      const row: Row = {};
      for (let i = 0; i < names.length; i++) row[names[i]!] = values[i];
      return row;
    },
  };
}

/** What a column adds to the keys of a batch's rows. Of text it is made once for every text, not for every row. */
function keyParts(type: DataType, end: string): (vector: Vector) => (row: number) => string {
  const ofTexts = new WeakMap<Dictionary, string[]>();
  const partOf = (value: unknown) => encodeKey([value], [type]) + end;
  return (vector) => {
    if (type !== "string" || !(vector instanceof TextVector)) return (row) => partOf(vector.get(row));
    const { ids, dictionary } = vector;
    const known = ofTexts.get(dictionary) ?? [];
    ofTexts.set(dictionary, known);
    return (row) => {
      const id = ids[row]!;
      if (id < 0) return partOf(null);
      const part = known[id];
      if (part !== undefined) return part;
      const made = partOf(dictionary.text(id));
      known[id] = made;
      return made;
    };
  };
}
