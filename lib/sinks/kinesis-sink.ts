import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { externalError, userError } from "../errors.js";
import type { Field } from "../plan/schema.js";
import { rowWriter } from "./json-lines.js";
import { MAX_CALL_BYTES, PUT_ATTEMPTS, type PutRetries, perCall, putAll } from "./put-records.js";
import { type OutputBatch, type PublishIdentity, type Sink, staging } from "./sink.js";
import { stagedFor } from "./staged-for.js";
import { decodeRows, encodeRows } from "./staged-rows.js";

export interface StreamRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
}

/** The part of a stream that the sink needs. Implementations: `kinesis-record-stream`, `memory-record-stream`. */
export interface RecordStream {
  /** At most 500 records and 5 MB. One entry per record, in order: null if it is stored, else the service's error code. */
  putRecords(records: readonly StreamRecord[]): Promise<readonly (string | null)[]>;
}

export interface KinesisSinkOptions extends PutRetries {
  readonly stream: RecordStream;
  /** Columns whose values make the partition key; none: the whole row. */
  readonly key: readonly string[];
}

const MAX_RECORD_BYTES = 1_000_000;
/** Of one step's rows, so that with their marks they are one call. */
const MAX_STAGED_BYTES = 4_000_000;

/** What the sink adds to every record. */
const MARK = "tidemark";

/**
 * One record per row: its JSON and a member `tidemark` with the identity and the row's index, by which a reader can drop repeats.
 * At least once: a batch published again is put again, and records refused by throttling are put again after the others.
 */
export function kinesisSink({ stream, key, sleep, random }: KinesisSinkOptions): Sink {
  return {
    kind: "kinesis",
    stage: (batch) => {
      let firstRow = batch.firstRow ?? 0;
      return perCall(stagedRows(batch, key), MAX_STAGED_BYTES, ({ json }) => Buffer.byteLength(json)).map((rows) => {
        const place = staging({ firstRow }, false);
        firstRow += rows.length;
        return { output: batch.output, sink: "kinesis", ...place, bytes: encodeRows(rows) };
      });
    },
    publish: async (identity, parts) => {
      const records = stagedFor("kinesis", parts).flatMap(({ bytes, firstRow = 0 }) =>
        decodeRows(bytes).map((row, at) => recordOf(row as unknown as StagedRow, identity, firstRow + at)),
      );
      const calls = perCall(records, MAX_CALL_BYTES, (record) => record.data.byteLength + record.partitionKey.length);
      for (const call of calls) await putAll((left) => stream.putRecords(left), call, { sleep, random }, unavailable);
    },
  };
}

type StagedRow = { readonly key: string; readonly json: string };

function stagedRows({ rows, schema }: OutputBatch, key: readonly string[]): readonly StagedRow[] {
  if (schema.fields.some(({ name }) => name === MARK)) {
    throw userError("sink-column", `A column is named '${MARK}', which the sink writes itself.`, "Rename the column.");
  }
  const write = rowWriter(schema);
  // A column of an open schema is in the row, and perhaps not among the fields.
  const fields = key.map((name) => schema.fields.find((field) => field.name === name) ?? anyColumn(name));
  const keyOf = key.length === 0 ? write : rowWriter({ fields });
  return rows.map((row) => {
    const json = write(row);
    if (Buffer.byteLength(json) > MAX_RECORD_BYTES) {
      throw userError(
        "record-too-large",
        "A row takes over 1 MB as a record.",
        "Select fewer columns, or collect less per group.",
      );
    }
    return { key: createHash("md5").update(keyOf(row)).digest("hex"), json };
  });
}

const anyColumn = (name: string): Field => ({ name, type: "json", nullable: true });

function recordOf(
  { key, json }: StagedRow,
  { query, incarnation, partition, batchId }: PublishIdentity,
  index: number,
): StreamRecord {
  const mark = `"${MARK}":${JSON.stringify({ query, incarnation, partition, batchId, index })}}`;
  return { partitionKey: key, data: Buffer.from(json === "{}" ? `{${mark}` : `${json.slice(0, -1)},${mark}`, "utf8") };
}

const unavailable = (left: number, cause: unknown) =>
  externalError(
    "sink-unavailable",
    `${left} records were refused ${PUT_ATTEMPTS} times.`,
    "It is tried again from the checkpoint; if it stays, check the stream's capacity and the permission kinesis:PutRecords.",
    cause,
  );
