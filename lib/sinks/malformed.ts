import type { Row, Schema } from "../plan/schema.js";
import type { MalformedRecord } from "../sources/source.js";
import { readableRow } from "./readable-row.js";
import type { OutputBatch } from "./sink.js";
import { SOURCE_STRUCT } from "./source-place.js";

/** Columns of the malformed output: why, where, and the record as it came (or the row, where only the row is known). */
export const MALFORMED_SCHEMA: Schema = Object.freeze({
  fields: Object.freeze([
    { name: "reason", type: "string", nullable: false },
    { name: "detail", type: "string", nullable: false },
    { name: "source", type: { struct: SOURCE_STRUCT }, nullable: false },
    { name: "arrival", type: "timestamp", nullable: true },
    { name: "payload", type: "string", nullable: true },
    { name: "row", type: "json", nullable: true },
  ] as const),
});

/** Rows of `malformedOutputRow` as a sink stages them, dated by their arrival. */
export const malformedBatch = (rows: readonly Row[], arrival: number): OutputBatch => ({
  output: "malformed",
  rows,
  schema: MALFORMED_SCHEMA,
  outputMode: "append",
  timeColumn: "arrival",
  arrival,
});

/** @param schema the columns of `row`, where the record holds one */
export function malformedOutputRow(record: MalformedRecord, schema?: Schema): Row {
  const { reason, detail, stream, shard, sequence, sub, arrival, payload } = record;
  return {
    reason,
    detail,
    source: { stream, shard, sequence, sub },
    arrival,
    payload: payload.base64 ?? null,
    row: payload.row === undefined ? null : readableRow(payload.row, schema),
  };
}
