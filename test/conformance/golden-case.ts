import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { OutputMode, WatermarkPolicy } from "../../lib/plan/logical-plan.js";
import { exactInteger, quoteLongNumbers } from "../../lib/sources/exact-integer.js";

/** The format of golden/README.md. */
export interface GoldenCase {
  readonly name: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly inputs: Readonly<Record<string, GoldenInput>>;
  readonly query: GoldenPlan;
  readonly outputMode: OutputMode;
  readonly conf: GoldenConf;
  /** Absent where Spark refused the query. */
  readonly outputColumns?: readonly { readonly name: string; readonly type: string }[];
  readonly steps: readonly GoldenStep[];
  readonly expect?: { readonly error: GoldenError };
}

export type JsonRow = Readonly<Record<string, unknown>>;

export interface GoldenInput {
  readonly schema: Readonly<Record<string, string>>;
  readonly static?: readonly JsonRow[];
}

export interface GoldenConf {
  readonly multipleWatermarkPolicy?: WatermarkPolicy;
  readonly noDataMicroBatches?: boolean;
  readonly allowMultipleStatefulOperators?: boolean;
}

export interface GoldenPlan {
  readonly from: string;
  readonly ops: readonly GoldenOp[];
}

export interface GoldenOp {
  readonly op: string;
  readonly [field: string]: unknown;
}

export interface GoldenStep {
  readonly add: Readonly<Record<string, readonly JsonRow[]>>;
  readonly restart?: true | { readonly query?: GoldenPlan; readonly conf?: GoldenConf };
  readonly failSink?: boolean | number;
  /** Absent in steps after an unscripted error: they were not run. */
  readonly expect?: StepResult;
}

export interface StepResult {
  readonly batches: readonly GoldenBatch[];
  readonly error?: GoldenError;
}

export interface GoldenBatch {
  readonly batchId: number;
  readonly numInputRows: number;
  readonly output: readonly JsonRow[];
  readonly eventTime: Readonly<Record<string, string>>;
  readonly stateOperators: readonly Readonly<Record<string, string | number>>[];
}

export interface GoldenError {
  readonly phase: "start" | "runtime";
  /** Spark's; `ScriptedSinkFailure` for a scripted one. */
  readonly class?: string;
  /** Ours, where a deviation says which refusal is right. */
  readonly code?: string;
}

export const SCRIPTED = "ScriptedSinkFailure";

/** A file, or every case in a directory, in order of name. */
export function readCases(path: string): readonly GoldenCase[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((file) => file.endsWith(".json"))
        .sort()
        .map((file) => join(path, file))
    : [path];
  return files.map((file) => parseExactly(readFileSync(file, "utf8")) as GoldenCase);
}

/** JSON with integers beyond 2^53 as bigints. */
export const parseExactly = (text: string): unknown =>
  withBigints(JSON.parse(text), JSON.parse(quoteLongNumbers(text)));

/** `quoted` is the same value, its long number literals in quotes. */
function withBigints(value: unknown, quoted: unknown): unknown {
  if (typeof value === "number" && typeof quoted === "string") {
    return Number.isSafeInteger(value) ? value : (exactInteger(quoted) ?? value);
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element, i) => withBigints(element, (quoted as unknown[])[i]));
  const other = quoted as Record<string, unknown>;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withBigints(part, other[name])]));
}

/** A row as a payload: JSON, every integer with all its digits. */
export const payloadOf = (row: JsonRow): string => {
  const fields = Object.entries(row).map(([name, value]) => {
    const text = typeof value === "bigint" ? String(value) : JSON.stringify(value);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${fields.join(",")}}`;
};

/** `a,b,-c`: any of a and b (all cases if none is named), and none of c. */
export function tagFilter(text: string): (tags: readonly string[]) => boolean {
  const names = text.split(",").filter((name) => name !== "");
  const wanted = names.filter((name) => !name.startsWith("-"));
  const unwanted = names.filter((name) => name.startsWith("-")).map((name) => name.slice(1));
  return (tags) =>
    (wanted.length === 0 || wanted.some((tag) => tags.includes(tag))) && !unwanted.some((tag) => tags.includes(tag));
}
