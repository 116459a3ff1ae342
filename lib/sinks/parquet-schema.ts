import type { parquetWriteBuffer } from "hyparquet-writer";
import { userError } from "../errors.js";
import { typeText } from "../plan/data-type.js";
import type { DataType, Field, Row } from "../plan/schema.js";
import { toMicros } from "../time/event-time.js";
import { isWindow } from "../time/window.js";
import { jsonText } from "./json-lines.js";

type SchemaElement = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>[number];

/** Every column is optional: what a query declares not nullable can still become null below a join. */
const OPTIONAL = "OPTIONAL";

/** A column as Parquet describes it, in the pre-order that its footer holds: the column, then its children. */
export function parquetElements(name: string, type: DataType): readonly SchemaElement[] {
  if (typeof type === "object") {
    if ("array" in type) {
      return [
        { name, repetition_type: OPTIONAL, num_children: 1, converted_type: "LIST" },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        ...parquetElements("element", type.array),
      ];
    }
    return groupElements(name, type.struct);
  }
  switch (type) {
    case "timestamp":
      return [
        {
          name,
          type: "INT64",
          repetition_type: OPTIONAL,
          logical_type: timestampOf(true),
          converted_type: "TIMESTAMP_MICROS",
        },
      ];
    case "timestamp_ntz":
      return [{ name, type: "INT64", repetition_type: OPTIONAL, logical_type: timestampOf(false) }];
    case "long":
      return [{ name, type: "INT64", repetition_type: OPTIONAL }];
    case "int":
      return [{ name, type: "INT32", repetition_type: OPTIONAL }];
    case "double":
      return [{ name, type: "DOUBLE", repetition_type: OPTIONAL }];
    case "boolean":
      return [{ name, type: "BOOLEAN", repetition_type: OPTIONAL }];
    case "window":
      return groupElements(name, WINDOW_FIELDS);
    case "string":
    case "json":
      return [{ name, type: "BYTE_ARRAY", repetition_type: OPTIONAL, converted_type: "UTF8" }];
  }
}

const timestampOf = (isAdjustedToUTC: boolean) => ({ type: "TIMESTAMP", isAdjustedToUTC, unit: "MICROS" }) as const;

const groupElements = (name: string, fields: readonly Field[]): readonly SchemaElement[] => [
  { name, repetition_type: OPTIONAL, num_children: fields.length },
  ...fields.flatMap((field) => parquetElements(field.name, field.type)),
];

export const WINDOW_FIELDS: readonly Field[] = [
  { name: "start", type: "timestamp", nullable: false },
  { name: "end", type: "timestamp", nullable: false },
];

/** Whole milliseconds exactly, whatever the year. */
const microsOf = (time: number): bigint => (Number.isInteger(time) ? BigInt(time) * 1000n : BigInt(toMicros(time)));

/**
 * A value as Parquet stores it: times as microseconds, json columns as JSON text.
 * @throws `sink-type` for a value that is not of its column's type: a column of a Parquet file has one
 */
export function parquetValue(value: unknown, type: DataType): unknown {
  if (value === null || value === undefined) return null;
  if (typeof type === "object") {
    if ("array" in type && Array.isArray(value)) return value.map((item) => parquetValue(item, type.array));
    if ("struct" in type && typeof value === "object") return structValue(value as Row, type.struct);
    throw wrongType(type);
  }
  switch (type) {
    case "timestamp":
    case "timestamp_ntz":
      if (typeof value === "number" && Number.isFinite(value)) return microsOf(value);
      break;
    case "long":
      if (typeof value === "bigint" || Number.isInteger(value)) return BigInt(value as number | bigint);
      break;
    case "int":
      if (Number.isInteger(value)) return value;
      break;
    case "double":
      if (typeof value === "number" || typeof value === "bigint") return Number(value);
      break;
    case "boolean":
      if (typeof value === "boolean") return value;
      break;
    case "window":
      if (isWindow(value)) return structValue({ start: value.start, end: value.end }, WINDOW_FIELDS);
      break;
    case "string":
      if (typeof value === "string") return value;
      break;
    case "json":
      return jsonText(value);
  }
  throw wrongType(type);
}

const structValue = (value: Row, fields: readonly Field[]): Row =>
  Object.fromEntries(fields.map(({ name, type }) => [name, parquetValue(value[name], type)]));

const wrongType = (type: DataType) =>
  userError(
    "sink-type",
    `A row holds a value that is no ${typeText(type)} in a column declared so.`,
    "Correct the function that makes the column, or write JSON lines.",
  );
