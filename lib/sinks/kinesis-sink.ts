import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { externalError, userError } from "../errors.js";
import type { Field } from "../plan/schema.js";
import { rowWriter } from "./json-lines.js";
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

export interface KinesisSinkOptions {
  readonly stream: RecordStream;
  /** Columns whose values make the partition key; none: the whole row. */
  readonly key: readonly string[];
  readonly sleep: (ms: number) => Promise<void>;
  /** In [0, 1): jitter between attempts. */
  readonly random: () => number;
}

const MAX_RECORDS = 500;
const MAX_CALL_BYTES = 4_500_000;
const MAX_RECORD_BYTES = 1_000_000;
/** Of one step's rows, so that with their marks they are one call. */
const MAX_STAGED_BYTES = 4_000_000;
const ATTEMPTS = 6;

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
      for (const call of calls) await putAll(stream, call, sleep, random);
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

/** In order, as many as one call takes. */
function perCall<T>(items: readonly T[], maxBytes: number, sizeOf: (item: T) => number): readonly (readonly T[])[] {
  const calls: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const call = calls.at(-1);
    if (call === undefined || call.length === MAX_RECORDS || bytes + size > maxBytes) {
      calls.push([item]);
      bytes = size;
    } else {
      call.push(item);
      bytes += size;
    }
  }
  return calls;
}

async function putAll(
  stream: RecordStream,
  records: readonly StreamRecord[],
  sleep: (ms: number) => Promise<void>,
  random: () => number,
): Promise<void> {
  let left = records;
  let cause: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(50 * 2 ** attempt * (0.5 + random() / 2));
    try {
      const codes = await stream.putRecords(left);
      left = left.filter((_, at) => codes[at] !== null);
      cause = codes.find((code) => code !== null);
    } catch (error) {
      cause = error;
    }
    if (left.length === 0) return;
  }
  throw externalError(
    "sink-unavailable",
    `${left.length} of ${records.length} records were refused ${ATTEMPTS} times.`,
    "It is tried again from the checkpoint; if it stays, check the stream's capacity and the permission kinesis:PutRecords.",
    cause,
  );
}
