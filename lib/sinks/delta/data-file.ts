import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetWriteBuffer } from "hyparquet-writer";
import { userError } from "../../errors.js";
import type { Row, Schema } from "../../plan/schema.js";
import { keySegment } from "../output-keys.js";
import { parquetElements, parquetValue } from "../parquet-schema.js";
import { fileStats } from "./file-stats.js";

/** One data file that a commit adds: its place in the partitioning, what readers skip it by, and its bytes. */
export interface DataFile {
  readonly partitionValues: Readonly<Record<string, string | null>>;
  readonly stats: string;
  readonly bytes: Uint8Array;
}

/** Rows as Parquet stores them: times as whole microseconds, json as text. */
export const storedRows = (rows: readonly Row[], { fields }: Schema): readonly Row[] =>
  rows.map((row) => Object.fromEntries(fields.map(({ name, type }) => [name, parquetValue(row[name], type)])));

/** The files of rows that are stored values already, one per combination of partition values, in order of appearance. */
export function dataFiles(rows: readonly Row[], schema: Schema, partitionBy: readonly string[]): readonly DataFile[] {
  const groups = new Map<string, { readonly values: DataFile["partitionValues"]; readonly rows: Row[] }>();
  for (const row of rows) {
    const values = Object.fromEntries(partitionBy.map((name) => [name, partitionValue(row[name])]));
    const id = JSON.stringify(values);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { values, rows: [row] });
    else group.rows.push(row);
  }
  const columns = schema.fields.filter(({ name }) => !partitionBy.includes(name));
  return [...groups.values()].map((group) => dataFile(group.rows, { fields: columns }, group.values));
}

export const dataFile = (
  rows: readonly Row[],
  { fields }: Schema,
  partitionValues: DataFile["partitionValues"],
): DataFile => ({
  partitionValues,
  stats: fileStats(rows, { fields }),
  bytes: new Uint8Array(
    parquetWriteBuffer({
      schema: [
        { name: "root", num_children: fields.length },
        ...fields.flatMap(({ name, type }) => parquetElements(name, type)),
      ],
      columnData: fields.map(({ name }) => ({ name, data: rows.map((row) => row[name] ?? null) })),
      createdBy: "tidemark",
    }),
  ),
});

/** Delta protocol, "Partition Value Serialization". An empty text is null there, and so it is here. */
function partitionValue(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number" && Number.isInteger(value)) return String(value);
  throw userError(
    "sink-type",
    "A row has a value in a partition column that is no text, whole number or boolean.",
    "Partition by another column, or cast it to string().",
  );
}

/** Relative to the table, with nothing in it that a URI would encode. */
export const filePath = (partitionValues: DataFile["partitionValues"], name: string): string =>
  [
    ...Object.entries(partitionValues).map(
      ([column, value]) => `${keySegment(column)}=${value === null ? "__HIVE_DEFAULT_PARTITION__" : keySegment(value)}`,
    ),
    `${name}.snappy.parquet`,
  ].join("/");

/** The stored rows of a file, without its partition columns. */
export async function readDataFile(bytes: Uint8Array): Promise<readonly Row[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return (await parquetReadObjects({ file, compressors, parsers: AS_STORED })) as readonly Row[];
}

const AS_STORED = {
  timestampFromMilliseconds: (ms: bigint) => ms * 1000n,
  timestampFromMicroseconds: (micros: bigint) => micros,
  timestampFromNanoseconds: (nanos: bigint) => nanos / 1000n,
};
