import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { userError } from "../errors.js";
import type { DataType, Field, Row, Schema } from "../plan/schema.js";
import { isoLocalTime, isoTime } from "../time/iso-time.js";
import { isWindow } from "../time/window.js";
import { jsonText } from "./json-lines.js";

/** DynamoDB's own form of a value, as far as rows need it. */
type ItemValue =
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
/** Only of rows beyond a batch's first step. */
export const STEP = "tidemark_step";

const OWN_NAMES: ReadonlySet<string> = new Set([INCARNATION, BATCH_ID, STEP]);

/** DynamoDB's limit is 400 KB with names; the text form is never smaller. */
const MAX_ITEM_BYTES = 380_000;
/** Lists and maps within each other; what nests deeper is written as JSON text, for one row must not hold all others back. */
const MAX_NESTING = 32;
const MAX_DIGITS = 38;
/** Of a partition key, and of a sort key. */
const MAX_KEY_BYTES = [2048, 1024] as const;

/**
 * A row as an item: key columns as string or number, the others by their type; times and windows as in the JSON output.
 * Everything that DynamoDB would refuse is refused here, before the commit: afterwards the batch could never be published.
 *
 * @throws `sink-key`, `sink-key-value`, `item-too-large`
 */
export function itemOf(row: Row, schema: Schema, key: readonly string[]): Item {
  const item: [string, ItemValue][] = key.map((name, at) => [
    name,
    shortened(keyValue(row[name] ?? null, typeOf(schema, name), name), MAX_KEY_BYTES[at === 0 ? 0 : 1]),
  ]);
  for (const { name, type } of schema.fields) {
    if (OWN_NAMES.has(name)) throw reservedName(name);
    if (!key.includes(name)) item.push([name, itemValue(row[name], type)]);
  }
  if (schema.open) {
    const declared = new Set([...key, ...schema.fields.map(({ name }) => name)]);
    for (const name of Object.keys(row)) {
      if (OWN_NAMES.has(name)) throw reservedName(name);
      if (!declared.has(name)) item.push([name, itemValue(row[name], "json")]);
    }
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
  if (schema.open) return "json";
  throw userError(
    "sink-key",
    `The key column '${name}' is not among the query's columns.`,
    `Name one of ${schema.fields.map((each) => each.name).join(", ")}.`,
  );
};

/** Keys are S or N, and S is never empty: null, "" and what begins with NUL are escaped by a NUL, so that no two keys fall together. */
function keyValue(value: unknown, type: DataType, name: string): ItemValue {
  if (mayBeNumber(value, type)) return numberKey(value, type, name);
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
    "sink-key-value",
    `The key column '${name}' holds a list or an object.`,
    "Key by strings, numbers, times or windows.",
  );
}

const NUMBERS: ReadonlySet<DataType> = new Set(["long", "int", "double"]);

/** A json column may be keyed by numbers too; its null is then as unfit as that of a long, and nothing tells which it is. */
const mayBeNumber = (value: unknown, type: DataType): boolean =>
  NUMBERS.has(type) || (type === "json" && (value === null || typeof value === "number" || typeof value === "bigint"));

/** A table keyed by number takes no text in its place. Refused before the commit, where a filter still helps. */
function numberKey(value: unknown, type: DataType, name: string): ItemValue {
  const attribute = itemValue(value, type);
  if ("N" in attribute) return attribute;
  throw userError(
    "sink-key-value",
    `The key column '${name}' may be a number, and in some row it is ${value === null ? "null" : "none that DynamoDB has"}.`,
    `Filter such rows out, or key by a text: col("${name}").cast(string()).`,
  );
}

/** A key that DynamoDB would refuse keeps its beginning, and a digest of the whole tells it from others. */
function shortened(key: ItemValue, maxBytes: number): ItemValue {
  if (!("S" in key) || Buffer.byteLength(key.S) <= maxBytes) return key;
  const digest = createHash("sha256").update(key.S).digest("hex");
  return { S: `\u0000long:${digest}:${key.S.slice(0, 200)}` };
}

function itemValue(value: unknown, type: DataType, depth = 0): ItemValue {
  if (value === null || value === undefined) return { NULL: true };
  if (typeof value === "object" && depth === MAX_NESTING) return { S: jsonText(value) };
  if (typeof type === "object") {
    if ("array" in type && Array.isArray(value))
      return { L: value.map((item) => itemValue(item, type.array, depth + 1)) };
    if ("struct" in type && typeof value === "object") return structValue(value as Row, type.struct, depth + 1);
  }
  if (typeof value === "number") {
    if (type === "timestamp") return { S: isoTime(value) };
    if (type === "timestamp_ntz") return { S: isoLocalTime(value) };
  }
  if (type === "window" && isWindow(value))
    return { M: { start: { S: isoTime(value.start) }, end: { S: isoTime(value.end) } } };
  return plainValue(value, depth);
}

const structValue = (value: Row, fields: readonly Field[], depth: number): ItemValue => ({
  M: Object.fromEntries(fields.map(({ name, type }) => [name, itemValue(value[name], type, depth)])),
});

function plainValue(value: unknown, depth: number): ItemValue {
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
      return value === null ? { NULL: true } : objectValue(value, depth + 1);
    default:
      return { NULL: true };
  }
}

/** NaN, infinities, what is outside 1e-130 … 1e126 or has over 38 digits are no DynamoDB numbers: written as strings, as in the JSON output. */
const numberValue = (text: string, value: number): ItemValue => {
  const size = Math.abs(value);
  const digits = text.replace(/^-|e.*$|\./g, "").length;
  return size === 0 || (size >= 1e-130 && size < 1e126 && digits <= MAX_DIGITS) ? { N: text } : { S: text };
};

const objectValue = (value: object, depth: number): ItemValue => {
  if (value instanceof Date) return { S: isoTime(value.getTime()) };
  if (Array.isArray(value)) return { L: value.map((item) => itemValue(item, "json", depth)) };
  const members = Object.entries(value).map(([name, member]) => [name, itemValue(member, "json", depth)] as const);
  // The SDK assigns members by name: this one would vanish into a prototype.
  return members.some(([name]) => name === "__proto__") ? { S: jsonText(value) } : { M: Object.fromEntries(members) };
};

const reservedName = (name: string) =>
  userError("sink-key", `A column is named '${name}', which the sink writes itself.`, "Rename the column.");
