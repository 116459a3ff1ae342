import { Buffer } from "node:buffer";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { externalError, userError } from "../errors.js";
import type { FileOptions } from "../plan/connectors/file-options.js";
import { columnNames } from "../plan/data-type.js";
import type { Schema } from "../plan/schema.js";
import { type CsvLimits, type CsvRow, csvRows } from "./csv.js";
import { type CsvColumns, csvColumns, csvDialect } from "./csv-payload.js";
import { DEFAULT_LIMITS } from "./decode-limits.js";
import { lineBlocks } from "./file-lines.js";
import { type FileRecord, LineRecord, ValueRecord } from "./file-record.js";
import { fileText } from "./file-text.js";
import { memberSample } from "./member-sample.js";
import type { Payload } from "./source.js";

/** As a path: what is piped into the process, as JSON lines. */
export const STANDARD_INPUT = "-";

/** The one shard that files are. */
export const FILE_SHARD = "input";

/** Of a file that names its columns. */
export interface FileColumns {
  readonly path: string;
  readonly found: readonly string[];
  /** Declared and not found. */
  readonly missing: readonly string[];
  /** Of files without a header: in how many records, the first ones, was looked. */
  readonly sampled?: number;
}

interface FileReading {
  readonly schema: Schema;
  readonly options?: FileOptions;
  readonly onColumns?: (columns: FileColumns) => void;
}

interface FileSourceOptions extends FileReading {
  /** Read in this order. `.csv`, `.tsv`, `.parquet`, everything else JSON lines; the text formats also with `.gz`. */
  readonly paths: readonly string[];
  /** Records per micro-batch: it decides which rows are late. */
  readonly batchSize: number;
  /** Records to pass over, as an earlier run consumed them. */
  readonly skip?: number;
}

/**
 * The records of files as batches of one shard: the sequence number is the ordinal of the record over all files, from 1 (DATA.md section 10).
 * Records have no arrival time. Reads as it is asked: what the file gives at once, a megabyte of lines or a row group of Parquet, is in memory beside the batch.
 *
 * @throws `file-unreadable`, `file-encoding`, `csv-header`, `parquet-type`
 */
export async function* fileBatches({
  paths,
  batchSize,
  skip = 0,
  ...reading
}: FileSourceOptions): AsyncGenerator<readonly FileRecord[]> {
  let ordinal = 0;
  let batch: FileRecord[] = [];
  for (const path of paths) {
    for await (const read of reads(path, reading)) {
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

async function* reads(path: string, reading: FileReading): AsyncGenerator<FileRead> {
  try {
    if (/\.parquet$/i.test(path)) {
      const { parquetPayloads } = await import("./parquet-records.js");
      for await (const payload of parquetPayloads(path, reading.schema, reading.onColumns)) yield oneValue(payload);
    } else if (/\.[ct]sv(\.gz)?$/i.test(path)) {
      for await (const payload of csvPayloads(path, reading)) yield oneValue(payload);
    } else {
      yield* jsonLines(path, reading);
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

async function* jsonLines(path: string, { options = {}, schema, onColumns }: FileReading): AsyncGenerator<FileRead> {
  const name = options.encoding ?? options.charset ?? "utf-8";
  const isUtf8 = new TextDecoder(name).encoding === "utf-8";
  const bytes = isUtf8 ? bytesOf(path) : encoded(fileText(bytesOf(path), name, path).chunks);
  const sample = onColumns === undefined ? null : memberSample(path, columnNames(schema), onColumns);
  for await (const { text, bounds } of lineBlocks(bytes, DEFAULT_LIMITS.maxBytes)) {
    for (let i = 0; i < bounds.length && sample?.isOpen() === true; i += 2)
      sample.see(text.bytes.subarray(bounds[i], bounds[i + 1]));
    yield {
      count: bounds.length / 2,
      record: (i, ordinal) => new LineRecord(ordinal, text, bounds[2 * i] as number, bounds[2 * i + 1] as number),
    };
  }
  sample?.end();
}

async function* encoded(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk, "utf8");
}

const CSV_LIMITS: CsvLimits = { maxLength: DEFAULT_LIMITS.maxBytes, maxCells: DEFAULT_LIMITS.maxCells };

async function* csvPayloads(path: string, { schema, options = {}, onColumns }: FileReading): AsyncGenerator<Payload> {
  const { chunks, decode } = fileText(bytesOf(path), options.encoding ?? options.charset ?? "utf-8", path);
  const dialect = csvDialect(options, /\.tsv/i.test(path) ? "\t" : undefined);
  let columns: CsvColumns | null = null;
  if (options.header === false) columns = csvColumns(columnNames(schema), schema, options, decode);
  for await (const row of csvRows(chunks, CSV_LIMITS, dialect)) {
    if (columns !== null) {
      yield columns.payload(row);
      continue;
    }
    columns = csvColumns(headerOf(row, path, decode), schema, options, decode);
    onColumns?.({ path, found: columns.header, missing: columns.missing });
  }
}

function headerOf(
  { cells, count, cut }: CsvRow,
  path: string,
  decode: (text: string) => string | undefined,
): readonly string[] {
  const header = cells.map(({ text }) => decode(text)?.trim() ?? "");
  if (cut || count > header.length)
    throw userError(
      "csv-header",
      `The header of '${path}' has more than ${CSV_LIMITS.maxCells} names, or is longer than a record may be.`,
      "Leave columns out.",
    );
  if (new Set(header).size !== header.length || header.includes(""))
    throw userError(
      "csv-header",
      `The header of '${path}' has a name twice, or one that is empty or not UTF-8.`,
      "Name each column once; name the encoding of the file, or say that it has no header.",
    );
  return header;
}

/** A member may follow the gzip of another, as when compressed files are concatenated. */
export function bytesOf(path: string): AsyncIterable<Uint8Array> {
  if (path === STANDARD_INPUT) return process.stdin;
  const stream = createReadStream(path, { highWaterMark: 1024 * 1024 });
  if (!/\.gz$/i.test(path)) return stream;
  const inflated = createGunzip();
  stream.on("error", (error) => inflated.destroy(error));
  return stream.pipe(inflated);
}
