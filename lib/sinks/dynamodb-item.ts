import { Buffer } from "node:buffer";
import { userError } from "../errors.js";
import type { DataType, Field, Row, Schema } from "../plan/schema.js";
import { isoLocalTime, isoTime } from "../time/iso-time.js";
import { isWindow } from "../time/window.js";

/** DynamoDB's own form of a value, as far as rows need it. */
export type ItemValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly L: readonly ItemValue[] }
  | { readonly M: Readonly<Record<string, ItemValue>> };

export type Item = Readonly<Record<string, ItemValue>>;

/** What the sink adds to every item; a column of such a name is refused. */
export const INCARNATION = "tidemark_incarnation";
export const BATCH_ID = "tidemark_batch_id";

/** DynamoDB's limit is 400 KB with names; the text form is never smaller. */
const MAX_ITEM_BYTES = 380_000;

/**
 * A row as an item: key columns as string or number, the others by their type; times and windows as in the JSON output.
 * Everything that DynamoDB would refuse is refused here, before the commit: afterwards the batch could never be published.
 *
 * @throws `sink-key`, `item-too-large`
 */
export function itemOf(row: Row, schema: Schema, key: readonly string[]): Item {
  const item: [string, ItemValue][] = key.map((name) => [
    name,
    keyValue(row[name] ?? null, typeOf(schema, name), name),
  ]);
  for (const { name, type } of schema.fields) {
    if (name === INCARNATION || name === BATCH_ID) throw reservedName(name);
    if (!key.includes(name)) item.push([name, itemValue(row[name], type)]);
  }
  const bytes = Buffer.byteLength(JSON.stringify(item));
  if (bytes > MAX_ITEM_BYTES) {
    throw userError(
      "item-too-large",
      `A row takes ${bytes} bytes as an item; DynamoDB holds 400 KB.`,
      "Select fewer columns, or collect less per group.",
    );
  }
  return Object.fromEntries(item);
}

const typeOf = (schema: Schema, name: string): DataType => {
  const field = schema.fields.find((candidate) => candidate.name === name);
  if (field !== undefined) return field.type;
  throw userError(
    "sink-key",
    `The key column '${name}' is not among the query's columns.`,
    `Name one of ${schema.fields.map((each) => each.name).join(", ")}.`,
  );
};

/** Keys are S or N, and S is never empty: null, "" and what begins with NUL are escaped by a NUL, so that no two keys fall together. */
function keyValue(value: unknown, type: DataType, name: string): ItemValue {
  if (value === null) return { S: "\u0000null" };
  if (type === "window" && isWindow(value)) return { S: `${isoTime(value.start)}/${isoTime(value.end)}` };
  const attribute = itemValue(value, type);
  if ("N" in attribute) return attribute;
  if ("BOOL" in attribute) return { S: String(attribute.BOOL) };
  if ("S" in attribute) {
    if (attribute.S === "") return { S: "\u0000empty" };
    return attribute.S.startsWith("\u0000") ? { S: `\u0000${attribute.S}` } : attribute;
  }
  throw userError(
    "sink-key",
    `The key column '${name}' holds a list or an object.`,
    "Key by strings, numbers, times or windows.",
  );
}

function itemValue(value: unknown, type: DataType): ItemValue {
  if (value === null || value === undefined) return { NULL: true };
  if (typeof type === "object") {
    if ("array" in type && Array.isArray(value)) return { L: value.map((item) => itemValue(item, type.array)) };
    if ("struct" in type && typeof value === "object") return structValue(value as Row, type.struct);
  }
  if (typeof value === "number") {
    if (type === "timestamp") return { S: isoTime(value) };
    if (type === "timestamp_ntz") return { S: isoLocalTime(value) };
  }
  if (type === "window" && isWindow(value))
    return { M: { start: { S: isoTime(value.start) }, end: { S: isoTime(value.end) } } };
  return plainValue(value);
}

const structValue = (value: Row, fields: readonly Field[]): ItemValue => ({
  M: Object.fromEntries(fields.map(({ name, type }) => [name, itemValue(value[name], type)])),
});

function plainValue(value: unknown): ItemValue {
  switch (typeof value) {
    case "string":
      return { S: value };
    case "boolean":
      return { BOOL: value };
    case "bigint":
      return numberValue(value.toString(), Number(value));
    case "number":
      return numberValue(String(value === 0 ? 0 : value), value);
    case "object":
      return value === null ? { NULL: true } : objectValue(value);
    default:
      return { NULL: true };
  }
}

/** NaN, infinities and what is outside 1e-130 … 1e126 are no DynamoDB numbers: written as strings, as in the JSON output. */
const numberValue = (text: string, value: number): ItemValue => {
  const size = Math.abs(value);
  return size === 0 || (size >= 1e-130 && size < 1e126) ? { N: text } : { S: text };
};

const objectValue = (value: object): ItemValue => {
  if (value instanceof Date) return { S: isoTime(value.getTime()) };
  if (Array.isArray(value)) return { L: value.map((item) => itemValue(item, "json")) };
  return { M: Object.fromEntries(Object.entries(value).map(([name, member]) => [name, itemValue(member, "json")])) };
};

const reservedName = (name: string) =>
  userError("sink-key", `A column is named '${name}', which the sink writes itself.`, "Rename the column.");
