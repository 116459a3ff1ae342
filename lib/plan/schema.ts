import type { TimestampReading } from "../time/timestamp-reader.js";

/** The type of a column (DATA.md section 1). `json` is any value of a Standard Schema whose type is not known to the engine. */
export type DataType =
  | "timestamp"
  | "timestamp_ntz"
  | "string"
  | "long"
  | "int"
  | "double"
  | "boolean"
  | "window"
  | "json"
  | { readonly array: DataType }
  | { readonly struct: readonly Field[] };

export interface Field {
  readonly name: string;
  readonly type: DataType;
  readonly nullable: boolean;
  /** Of a source's timestamp: how a record says it. Nothing above the source knows it. */
  readonly reading?: TimestampReading;
}

/** Columns in order. `open`: more columns may come at run time, so names are checked there (a Standard Schema without JSON Schema). */
export interface Schema {
  readonly fields: readonly Field[];
  readonly open?: true;
}

/** A row in flight: timestamps are `EventTime` numbers, windows are `Window`, a missing value is null, never undefined. */
export type Row = Record<string, unknown>;
