import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { columnNames } from "../plan/data-type.js";
import type { Schema } from "../plan/schema.js";
import type { FileColumns } from "./files.js";
import { jsonPayload } from "./json-payload.js";
import { type ParquetColumn, parquetColumns, parquetNames } from "./parquet-columns.js";
import type { Payload } from "./source.js";

/**
 * Rows of a Parquet file as the JSON that the decoder reads, one row group in memory at a time: the declared columns alone, every value
 * with all its digits. A row with a value that its column cannot hold exactly is malformed.
 * @throws `parquet-type`
 */
export async function* parquetPayloads(
  path: string,
  schema: Schema,
  onColumns?: (columns: FileColumns) => void,
): AsyncGenerator<Payload> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  const { columns, bare } = parquetColumns(metadata, schema);
  const found = parquetNames(metadata);
  onColumns?.({ path, found, missing: columnNames(schema).filter((name) => !found.includes(name)) });
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    const rows = await parquetReadObjects({
      file,
      metadata: bare,
      columns: columns.map(({ name }) => name),
      compressors,
      parsers: PARSERS,
      utf8: false,
      rowStart: start,
      rowEnd: end,
    });
    for (const row of rows) yield payloadOf(row, columns);
    start = end;
  }
}

function payloadOf(row: Readonly<Record<string, unknown>>, columns: readonly ParquetColumn[]): Payload {
  let fault: string | undefined;
  const members = columns.map(({ name, write }): readonly [string, string] => {
    const stored = row[name] ?? null;
    if (stored === null) return [name, "null"];
    const written = write(stored);
    if (written.fault !== undefined) fault ??= `column '${name}': ${written.fault}`;
    return [name, written.json];
  });
  const data = jsonPayload(members);
  return fault === undefined ? { data } : { data, malformed: { malformed: "schema-violation", detail: fault } };
}

/** What is converted whatever the annotation: INT96, and the keys of maps. */
const PARSERS = {
  timestampFromNanoseconds: (nanos: bigint) => nanos,
  stringFromBytes: (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
};
