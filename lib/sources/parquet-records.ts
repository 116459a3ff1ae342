import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import type { Schema } from "../plan/schema.js";
import { fromMicros } from "../time/event-time.js";
import { isoTime } from "../time/iso-time.js";
import { jsonPayload, jsonValue } from "./json-payload.js";

/** Rows of a Parquet file as the JSON that the decoder reads, one row group in memory at a time. Times are ISO 8601, to the microsecond. */
export async function* parquetPayloads(path: string, schema: Schema): AsyncGenerator<Uint8Array> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const local = new Set(schema.fields.filter(({ type }) => type === "timestamp_ntz").map(({ name }) => name));
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    const rows = await parquetReadObjects({
      file,
      metadata,
      compressors,
      parsers: PARSERS,
      rowStart: start,
      rowEnd: end,
    });
    for (const row of rows) {
      yield jsonPayload(
        Object.entries(row).map(([name, value]) => [
          name,
          local.has(name) && typeof value === "string" ? JSON.stringify(value.replace(/Z$/, "")) : jsonValue(value),
        ]),
      );
    }
    start = end;
  }
}

const PARSERS = {
  timestampFromMilliseconds: (ms: bigint) => isoTime(Number(ms)),
  timestampFromMicroseconds: (micros: bigint) => isoTime(fromMicros(Number(micros))),
  timestampFromNanoseconds: (nanos: bigint) => isoTime(fromMicros(Number(nanos / 1000n))),
  dateFromDays: (days: number) => isoTime(days * 86_400_000).slice(0, 10),
};
