import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetWriteBuffer } from "hyparquet-writer";
import { externalError } from "../../errors.js";
import type { LogLine } from "./actions.js";
import type { LogStore } from "./log-store.js";

type Element = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>[number];

const text = (name: string): Element[] => [
  { name, type: "BYTE_ARRAY", repetition_type: "OPTIONAL", converted_type: "UTF8" },
];
const long = (name: string): Element[] => [{ name, type: "INT64", repetition_type: "OPTIONAL" }];
const int = (name: string): Element[] => [{ name, type: "INT32", repetition_type: "OPTIONAL" }];
const boolean = (name: string): Element[] => [{ name, type: "BOOLEAN", repetition_type: "OPTIONAL" }];
const group = (name: string, ...children: Element[][]): Element[] => [
  { name, repetition_type: "OPTIONAL", num_children: children.length },
  ...children.flat(),
];
const texts = (name: string): Element[] => [
  { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  ...text("element"),
];
const textMap = (name: string): Element[] => [
  { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "MAP" },
  { name: "key_value", repetition_type: "REPEATED", num_children: 2 },
  { name: "key", type: "BYTE_ARRAY", repetition_type: "REQUIRED", converted_type: "UTF8" },
  ...text("value"),
];

/** Delta protocol, "Checkpoint Schema": what this version reads and writes of it. */
const COLUMNS: Readonly<Record<Exclude<keyof LogLine, "commitInfo">, Element[]>> = {
  txn: group("txn", text("appId"), long("version"), long("lastUpdated")),
  add: group(
    "add",
    text("path"),
    textMap("partitionValues"),
    long("size"),
    long("modificationTime"),
    boolean("dataChange"),
    text("stats"),
  ),
  remove: group("remove", text("path"), long("deletionTimestamp"), boolean("dataChange")),
  metaData: group(
    "metaData",
    text("id"),
    group("format", text("provider"), textMap("options")),
    text("schemaString"),
    texts("partitionColumns"),
    textMap("configuration"),
    long("createdTime"),
  ),
  protocol: group(
    "protocol",
    int("minReaderVersion"),
    int("minWriterVersion"),
    texts("readerFeatures"),
    texts("writerFeatures"),
  ),
};

const LONGS: ReadonlySet<string> = new Set([
  "version",
  "lastUpdated",
  "size",
  "modificationTime",
  "deletionTimestamp",
  "createdTime",
]);

/** The whole of a log so far as one Parquet file. Same lines, same bytes. */
export function encodeLogCheckpoint(lines: readonly LogLine[]): Uint8Array {
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  return new Uint8Array(
    parquetWriteBuffer({
      schema: [{ name: "root", num_children: names.length }, ...names.flatMap((name) => COLUMNS[name])],
      columnData: names.map((name) => ({ name, data: lines.map((line) => stored(line[name] ?? null)) })),
      createdBy: "tidemark",
    }),
  );
}

/** Whole numbers of 64 bits are bigints to the writer. */
function stored(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      LONGS.has(name) && typeof member === "number" ? BigInt(member) : stored(member),
    ]),
  );
}

/** @throws `delta-checkpoint-gone` where the object that the log names as its last checkpoint is not there */
export async function readLogCheckpoint(store: LogStore, key: string): Promise<readonly LogLine[]> {
  const bytes = await store.get(key);
  if (bytes === null)
    throw externalError("delta-checkpoint-gone", `The table's checkpoint ${key} is not there.`, "It is tried again.");
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const rows = await parquetReadObjects({ file, compressors });
  return rows.map((row) => plain(row) as LogLine);
}

function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
