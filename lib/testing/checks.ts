import type { Row, Schema } from "../plan/schema.js";
import type { QueryProgress } from "../runtime/progress.js";
import { LATE_SCHEMA } from "../sinks/late-rows.js";
import { MALFORMED_SCHEMA } from "../sinks/malformed.js";
import { readableRow } from "../sinks/readable-row.js";
import type { OutputName } from "../sinks/sink.js";
import type { StreamAction } from "./actions.js";
import { assertSame, expectedLine, expectedRow, lineOf, partLike } from "./comparable-rows.js";
import type { TestBench } from "./test-bench.js";

/**
 * The result rows since the last `checkNewAnswer`, in any order; times as ISO 8601 text, Date or epoch milliseconds.
 *
 * @example checkNewAnswer([{ window: { start: "2024-03-01T12:00:00Z", end: "2024-03-01T12:05:00Z" }, page: "/", views: 2 }])
 */
export const checkNewAnswer = (rows: readonly object[]): StreamAction => ({
  name: "checkNewAnswer",
  run: (bench) => assertAnswer(bench, newRows(bench, "result"), rows),
});

/** All result rows so far, in any order, compared as by `checkNewAnswer`. @example checkAnswer([{ page: "/", views: 2 }]) */
export const checkAnswer = (rows: readonly object[]): StreamAction => ({
  name: "checkAnswer",
  run: (bench) => assertAnswer(bench, bench.sink.rows(), rows),
});

/**
 * The late rows since the last `checkNewLate`, in their order; only the members that you give are compared.
 *
 * @example checkNewLate([{ row: { page: "/" }, lateByMs: 240_000 }])
 */
export const checkNewLate = (rows: readonly object[]): StreamAction => ({
  name: "checkNewLate",
  run: (bench) => assertParts("late rows", newRows(bench, "late"), rows, LATE_SCHEMA),
});

/**
 * The malformed records since the last `checkNewMalformed`, in their order; only the members that you give are compared.
 *
 * @example checkNewMalformed([{ reason: "not-json" }])
 */
export const checkNewMalformed = (records: readonly object[]): StreamAction => ({
  name: "checkNewMalformed",
  run: (bench) => assertParts("malformed records", newRows(bench, "malformed"), records, MALFORMED_SCHEMA),
});

/** The last micro-batch's progress record; only the members that you give are compared. @example checkProgress({ numInputRows: 2, eventTime: { watermark: "2024-03-01T12:06:00.000Z" } }) */
export const checkProgress = (expected: PartOf<QueryProgress>): StreamAction => ({
  name: "checkProgress",
  async run(bench) {
    const recent = await bench.invoke((query) => query.recentProgress());
    assertSame("The last progress record", partLike(recent.at(-1) ?? null, expected), expected);
  },
});

type PartOf<T> = T extends readonly (infer Item)[]
  ? readonly PartOf<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]?: PartOf<T[Name]> }
    : T;

function newRows({ sink, checked }: TestBench, output: OutputName): readonly Row[] {
  const batches = sink.batches(output);
  const from = checked.get(output) ?? 0;
  checked.set(output, Math.max(from, batches.at(-1)?.identity.batchId ?? 0));
  return batches.filter(({ identity }) => identity.batchId > from).flatMap(({ rows }) => rows);
}

function assertAnswer(bench: TestBench, actual: readonly Row[], expected: readonly object[]): void {
  const { schema } = bench.definition().plan;
  const lines = actual.map((row) => lineOf(row, schema));
  const wanted = expected.map((row) => expectedLine(row as Row, schema));
  assertSame("The answer", lines.sort(), wanted.sort());
}

function assertParts(what: string, actual: readonly Row[], expected: readonly object[], schema: Schema): void {
  const wanted = expected.map((row) => expectedRow(row as Row, schema));
  const found = actual.map((row, at) => partLike(readableRow(row, schema), wanted[at]));
  assertSame(`The list of ${what}`, found, wanted);
}
