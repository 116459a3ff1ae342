import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { externalError, userError } from "../errors.js";
import type { Field, Row } from "../plan/schema.js";
import { rowWriter } from "./json-lines.js";
import type { OutputBatch, PublishIdentity, Sink } from "./sink.js";
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
    stage: (batch) =>
      batch.rows.length === 0
        ? []
        : [{ output: batch.output, sink: "kinesis", bytes: encodeRows(stagedRows(batch, key)) }],
    publish: async (identity, parts) => {
      const records = stagedFor("kinesis", parts)
        .flatMap((part) => decodeRows(part.bytes))
        .map((row, index) => recordOf(row, identity, index));
      for (const call of calls(records)) await putAll(stream, call, sleep, random);
    },
  };
}

function stagedRows({ rows, schema }: OutputBatch, key: readonly string[]): readonly Row[] {
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

function recordOf(row: Row, { query, incarnation, partition, batchId }: PublishIdentity, index: number): StreamRecord {
  const { key, json } = row as { key: string; json: string };
  const mark = `"${MARK}":${JSON.stringify({ query, incarnation, partition, batchId, index })}}`;
  return { partitionKey: key, data: Buffer.from(json === "{}" ? `{${mark}` : `${json.slice(0, -1)},${mark}`, "utf8") };
}

function* calls(records: readonly StreamRecord[]): Generator<readonly StreamRecord[]> {
  let call: StreamRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = record.data.byteLength + record.partitionKey.length;
    if (call.length === MAX_RECORDS || (call.length > 0 && bytes + size > MAX_CALL_BYTES)) {
      yield call;
      call = [];
      bytes = 0;
    }
    call.push(record);
    bytes += size;
  }
  if (call.length > 0) yield call;
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
