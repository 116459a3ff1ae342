import type { Row, Schema } from "../plan/schema.js";
import { gzip } from "./gzip.js";
import { jsonLines } from "./json-lines.js";

/** How the rows of one object are written. Same rows, same bytes. */
export interface OutputFormat {
  /** Of the object key. */
  readonly extension: string;
  readonly contentType: string;
  readonly encode: (rows: readonly Row[], schema: Schema) => Uint8Array;
}

export const JSON_LINES: OutputFormat = Object.freeze({
  extension: "jsonl.gz",
  contentType: "application/gzip",
  encode: (rows: readonly Row[], schema: Schema) => gzip(jsonLines(rows, schema)),
});
