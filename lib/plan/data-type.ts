import type { DataType, Field, Schema } from "./schema.js";

/** As Spark's `simpleString` writes it: `bigint`, `struct<start:timestamp,end:timestamp>`. `json` is ours. */
export function typeText(type: DataType): string {
  if (typeof type === "string") return SIMPLE[type];
  if ("array" in type) return `array<${typeText(type.array)}>`;
  return `struct<${type.struct.map((field) => `${field.name}:${typeText(field.type)}`).join(",")}>`;
}

const SIMPLE = {
  timestamp: "timestamp",
  timestamp_ntz: "timestamp_ntz",
  string: "string",
  long: "bigint",
  int: "int",
  double: "double",
  boolean: "boolean",
  window: "struct<start:timestamp,end:timestamp>",
  json: "json",
} as const;

export const sameType = (a: DataType, b: DataType): boolean => typeText(a) === typeText(b);

export const isNumeric = (type: DataType): boolean => type === "int" || type === "long" || type === "double";

/** The type that holds both without loss, `json` if either is; null if there is none. */
export function commonType(a: DataType, b: DataType): DataType | null {
  if (sameType(a, b)) return a;
  if (a === "json" || b === "json") return "json";
  if (isNumeric(a) && isNumeric(b)) return a === "double" || b === "double" ? "double" : "long";
  return null;
}

export const fieldOf = (schema: Schema, name: string): Field | undefined =>
  schema.fields.find((field) => field.name === name);

export const columnNames = (schema: Schema): readonly string[] => schema.fields.map((field) => field.name);
