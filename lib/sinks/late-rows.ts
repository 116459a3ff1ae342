import type { LateRow, Origin } from "../operators/operator.js";
import type { Row, Schema } from "../plan/schema.js";
import { canonical, NO_WATERMARK } from "../time/event-time.js";
import { readableRow } from "./readable-row.js";
import type { OutputBatch } from "./sink.js";
import { SOURCE_STRUCT, type SourcePlace } from "./source-place.js";

/** Columns of the late output (DATA.md section 4). */
export const LATE_SCHEMA: Schema = Object.freeze({
  fields: Object.freeze([
    { name: "row", type: "json", nullable: false },
    { name: "source", type: { struct: SOURCE_STRUCT }, nullable: true },
    { name: "eventTime", type: "timestamp", nullable: true },
    { name: "watermark", type: "timestamp", nullable: true },
    { name: "lateByMs", type: "double", nullable: true },
    { name: "operator", type: "string", nullable: false },
    { name: "missedWindows", type: { array: "window" }, nullable: false },
    { name: "partial", type: "boolean", nullable: false },
    { name: "reason", type: "string", nullable: false },
    { name: "payload", type: "string", nullable: true },
  ] as const),
});

/** Rows of `lateOutputRow` as a sink stages them, dated by when they came, so that however old they are they lie on few days; `arrival` as in `OutputBatch`. */
export const lateBatch = (rows: readonly Row[], arrival: number): OutputBatch => ({
  output: "late",
  rows,
  schema: LATE_SCHEMA,
  outputMode: "append",
  timeColumn: null,
  arrival,
});

interface LateRowContext {
  /** Where a row came from; null for rows that a stateful operator produced. */
  readonly placeOf: (origin: Origin) => SourcePlace | null;
  /** The record as it came, in base64. */
  readonly payloadOf?: (origin: Origin) => string | null;
  /** The columns of the operator's input, so that times in `row` are written as times; undefined if they are not known. */
  readonly schemaOf?: (operatorId: string) => Schema | undefined;
}

/**
 * One row of the late output per late row and operator. `lateByMs` is watermark less event time: a row of a window that closed is
 * late by this much, however long its window.
 */
export function lateOutputRow(late: LateRow, { placeOf, payloadOf, schemaOf }: LateRowContext): Row {
  const { eventTime, watermark } = late;
  const finite = watermark === NO_WATERMARK || watermark === Number.POSITIVE_INFINITY ? null : watermark;
  return {
    row: readableRow(late.row, schemaOf?.(late.operatorId)),
    source: late.origin === null ? null : placeOf(late.origin),
    eventTime,
    watermark: finite,
    lateByMs: eventTime === null || finite === null ? null : canonical(finite - eventTime),
    operator: late.operatorId,
    missedWindows: late.missed ?? [],
    partial: late.partial ?? false,
    reason: late.reason ?? "late",
    payload: late.origin === null ? null : (payloadOf?.(late.origin) ?? null),
  };
}
