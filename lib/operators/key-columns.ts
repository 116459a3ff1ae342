import type { Field, Row } from "../plan/schema.js";
import { decodeKey, encodeKey } from "../state/key-codec.js";

/** The key of a stateful operator: rows to canonical strings, and back to a row of the key columns alone. NULLs are equal. */
export interface KeyColumns {
  readonly names: readonly string[];
  encode(row: Row): string;
  decode(key: string): Row;
}

export function keyColumns(fields: readonly Field[]): KeyColumns {
  const names = fields.map((field) => field.name);
  const types = fields.map((field) => field.type);
  return {
    names,
    encode: (row) =>
      encodeKey(
        names.map((name) => row[name] ?? null),
        types,
      ),
    decode: (key) => {
      const values = decodeKey(key, types);
      const row: Row = {};
      for (let i = 0; i < names.length; i++) row[names[i]!] = values[i];
      return row;
    },
  };
}
