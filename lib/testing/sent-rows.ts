import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { TagOf, ValueOf } from "../api/column-type.js";
import type { ColumnsSchema } from "../api/columns.js";
import type { SourceSchema } from "../api/source-schema.js";
import { jsonText } from "../sinks/json-lines.js";

/** A row as a producer would send it; times may be ISO 8601 text, a Date or epoch milliseconds. */
export type InputRow<Schema extends SourceSchema> =
  Schema extends ColumnsSchema<infer S>
    ? { readonly [Name in keyof S]?: SentValue<S[Name]> }
    : StandardSchemaV1.InferInput<Schema>;

type SentValue<C> = TagOf<C> extends "timestamp" | "timestamp_ntz" ? string | number | Date | null : ValueOf<C>;

/** A payload as it stands on the wire, for records that are no rows. */
export type RawPayload = string | Uint8Array;

export function payloadOf(row: object | RawPayload): Uint8Array {
  if (row instanceof Uint8Array) return row;
  return new TextEncoder().encode(typeof row === "string" ? row : jsonText(row));
}
