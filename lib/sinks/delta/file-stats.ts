import { Buffer } from "node:buffer";
import type { DataType, Row, Schema } from "../../plan/schema.js";
import { jsonText } from "../json-lines.js";
import { WINDOW_FIELDS } from "../parquet-schema.js";

interface ColumnStats {
  readonly min: unknown;
  readonly max: unknown;
  readonly nulls: unknown;
}

/** What readers skip files by: Delta protocol, "Per-file Statistics". Values are as Parquet stores them. */
export function fileStats(rows: readonly Row[], { fields }: Schema): string {
  const columns = structStats(rows, fields);
  return jsonText({
    numRecords: rows.length,
    minValues: columns.min,
    maxValues: columns.max,
    nullCount: columns.nulls,
  });
}

function structStats(rows: readonly (Row | null)[], fields: Schema["fields"]): ColumnStats {
  const [min, max, nulls]: Record<string, unknown>[] = [{}, {}, {}];
  for (const { name, type } of fields) {
    const stats = columnStats(
      rows.map((row) => row?.[name] ?? null),
      type,
    );
    if (stats.min !== undefined) min![name] = stats.min;
    if (stats.max !== undefined) max![name] = stats.max;
    nulls![name] = stats.nulls;
  }
  return { min, max, nulls };
}

function columnStats(values: readonly unknown[], type: DataType): ColumnStats {
  if (type === "window") return structStats(values as readonly (Row | null)[], WINDOW_FIELDS);
  if (typeof type === "object" && "struct" in type) return structStats(values as readonly (Row | null)[], type.struct);
  const nulls = values.filter((value) => value === null).length;
  const compare = COMPARE[typeof type === "object" ? "array" : type];
  const known = values.filter((value) => value !== null);
  // NaN stands above all in Spark, and JSON has no word for it.
  const bounded = compare !== null && known.length > 0 && known.every((value) => !Number.isNaN(value));
  if (!bounded) return { min: undefined, max: undefined, nulls };
  let [low, high] = [known[0], known[0]];
  for (const value of known) {
    if (compare(value, low) < 0) low = value;
    if (compare(value, high) > 0) high = value;
  }
  return { min: bound(low, type, "min"), max: bound(high, type, "max"), nulls };
}

type Compare = (a: unknown, b: unknown) => number;
const ordered: Compare = (a, b) => ((a as bigint) < (b as bigint) ? -1 : (a as bigint) > (b as bigint) ? 1 : 0);
/** As readers compare: by UTF-8 bytes. */
const byBytes: Compare = (a, b) => Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));

const COMPARE: Readonly<Record<Exclude<DataType, object> | "array", Compare | null>> = {
  string: byBytes,
  long: ordered,
  int: ordered,
  double: ordered,
  timestamp: ordered,
  timestamp_ntz: ordered,
  boolean: null,
  json: null,
  window: null,
  array: null,
};

/** Years of four digits. */
const FIRST_MS = BigInt(Date.UTC(1, 0, 1));
const LAST_MS = BigInt(Date.UTC(9999, 11, 31));
const LONGEST_TEXT = 32;
/** Above every character that may follow. */
const ABOVE_ALL = "\u{10FFFF}";

/** A bound that holds: times are cut to whole milliseconds, texts to 32 characters, downwards or upwards. */
function bound(value: unknown, type: DataType, side: "min" | "max"): unknown {
  if (type === "timestamp" || type === "timestamp_ntz") {
    const micros = value as bigint;
    const low = (micros - (((micros % 1000n) + 1000n) % 1000n)) / 1000n;
    const ms = side === "max" && low * 1000n !== micros ? low + 1n : low;
    if (ms < FIRST_MS || ms > LAST_MS) return undefined;
    const text = new Date(Number(ms)).toISOString();
    return type === "timestamp" ? text : text.slice(0, -1);
  }
  if (type === "double") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string") return value;
  const characters = [...value];
  if (characters.length <= LONGEST_TEXT) return value;
  return characters.slice(0, LONGEST_TEXT).join("") + (side === "max" ? ABOVE_ALL : "");
}
