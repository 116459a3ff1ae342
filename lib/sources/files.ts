import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { externalError, userError } from "../errors.js";
import type { Schema } from "../plan/schema.js";
import { type CsvLimits, type CsvRow, csvRows } from "./csv.js";
import { csvPayload } from "./csv-payload.js";
import { DEFAULT_LIMITS } from "./decode-limits.js";
import { lineBlocks } from "./file-lines.js";
import { type FileRecord, LineRecord, ValueRecord } from "./file-record.js";
import type { Payload } from "./source.js";

/** The one shard that files are. */
export const FILE_SHARD = "input";

interface FileSourceOptions {
  /** Read in this order. `.csv`, `.parquet`, everything else JSON lines; the text formats also with `.gz`. */
  readonly paths: readonly string[];
  readonly schema: Schema;
  /** Records per micro-batch: it decides which rows are late. */
  readonly batchSize: number;
  /** Records to pass over, as an earlier run consumed them. */
  readonly skip?: number;
}

/**
 * The records of files as batches of one shard: the sequence number is the ordinal of the record over all files, from 1 (DATA.md section 10).
 * Records have no arrival time. Reads as it is asked: what the file gives at once, a megabyte of lines or a row group of Parquet, is in memory beside the batch.
 *
 * @throws `file-unreadable`, `csv-header`
 */
export async function* fileBatches({
  paths,
  schema,
  batchSize,
  skip = 0,
}: FileSourceOptions): AsyncGenerator<readonly FileRecord[]> {
  let ordinal = 0;
  let batch: FileRecord[] = [];
  for (const path of paths) {
    for await (const read of reads(path, schema)) {
      for (let i = 0; i < read.count; i++) {
        ordinal++;
        if (ordinal <= skip) continue;
        batch.push(read.record(i, ordinal));
        if (batch.length < batchSize) continue;
        yield batch;
        batch = [];
      }
    }
  }
  if (batch.length > 0) yield batch;
}

/** What came of a file at once. */
interface FileRead {
  readonly count: number;
  record(index: number, ordinal: number): FileRecord;
}

async function* reads(path: string, schema: Schema): AsyncGenerator<FileRead> {
  try {
    if (/\.parquet$/i.test(path)) {
      const { parquetPayloads } = await import("./parquet-records.js");
      for await (const data of parquetPayloads(path, schema)) yield oneValue({ data });
    } else if (/\.csv(\.gz)?$/i.test(path)) {
      for await (const payload of csvPayloads(path, schema)) yield oneValue(payload);
    } else {
      for await (const { text, bounds } of lineBlocks(bytesOf(path), DEFAULT_LIMITS.maxBytes))
        yield {
          count: bounds.length / 2,
          record: (i, ordinal) => new LineRecord(ordinal, text, bounds[2 * i] as number, bounds[2 * i + 1] as number),
        };
    }
  } catch (cause) {
    if (cause instanceof Error && "domain" in cause) throw cause;
    throw externalError("file-unreadable", `'${path}' cannot be read to its end.`, "Check its path and format.", cause);
  }
}

const oneValue = ({ data, malformed }: Payload): FileRead => ({
  count: 1,
  record: (_, ordinal) => new ValueRecord(ordinal, data, malformed),
});

const CSV_LIMITS: CsvLimits = { maxLength: DEFAULT_LIMITS.maxBytes, maxCells: DEFAULT_LIMITS.maxCells };

async function* csvPayloads(path: string, schema: Schema): AsyncGenerator<Payload> {
  let header: readonly string[] | null = null;
  for await (const row of csvRows(textOf(bytesOf(path)), CSV_LIMITS)) {
    if (header === null) header = headerOf(row, path);
    else yield csvPayload(header, row, schema);
  }
}

function headerOf({ cells, count, cut }: CsvRow, path: string): readonly string[] {
  const header = cells.map(({ text }) => text.trim());
  if (cut || count > header.length)
    throw userError(
      "csv-header",
      `The header of '${path}' has more than ${CSV_LIMITS.maxCells} names, or is longer than a record may be.`,
      "Leave columns out.",
    );
  if (new Set(header).size !== header.length || header.includes(""))
    throw userError(
      "csv-header",
      `The header of '${path}' has a name twice or an empty one.`,
      "Name each column once.",
    );
  return header;
}

/** A member may follow the gzip of another, as when compressed files are concatenated. */
export function bytesOf(path: string): AsyncIterable<Uint8Array> {
  const stream = createReadStream(path, { highWaterMark: 1024 * 1024 });
  if (!/\.gz$/i.test(path)) return stream;
  const inflated = createGunzip();
  stream.on("error", (error) => inflated.destroy(error));
  return stream.pipe(inflated);
}

async function* textOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
