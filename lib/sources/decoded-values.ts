import type { CsvOptions } from "../plan/connectors/file-options.js";
import type { RecordMetadata } from "./record-metadata.js";

/**
 * A source's own way from bytes to rows. Answers with a value or with several: an object is a row's members, text and bytes are JSON of one,
 * null is none; a record of no values is read and has no row. What it throws makes the record malformed. It must be pure and synchronous: a repeat
 * of a delivery decodes again. gzip is inflated before.
 */
export type Decode = (bytes: Uint8Array, metadata: RecordMetadata) => DecodedValue | readonly DecodedValue[];

export type DecodedValue = object | string | Uint8Array | null | undefined;

/** Rows of CSV, which the columns of the source decide how to read. */
export class CsvText {
  constructor(
    readonly text: string,
    readonly options: CsvOptions,
  ) {}
}

/** Thrown by a decoder whose words hold nothing of the payload. */
export class Undecodable extends Error {}
