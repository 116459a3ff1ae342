import type { DrivenError, DrivenStep } from "./driver.js";
import { type GoldenBatch, type GoldenCase, type GoldenError, type JsonRow, SCRIPTED } from "./golden-case.js";

/** Batch by batch, in every field. */
export function compareStepByStep(golden: GoldenCase, steps: readonly DrivenStep[]): string[] {
  return golden.steps.flatMap(({ expect }, i) => {
    if (expect === undefined) return [];
    const driven = steps[i];
    if (driven === undefined) return [`step ${i} did not run`];
    return [...compareBatches(golden, expect.batches, driven.batches), ...errorDiffers(expect.error, driven.error)].map(
      (difference) => `step ${i}: ${difference}`,
    );
  });
}

/** Differences in words; empty: the batches agree in every field (golden/README.md, "How to compare"). */
export function compareBatches(
  golden: GoldenCase,
  expected: readonly GoldenBatch[],
  actual: readonly GoldenBatch[],
): string[] {
  const differences: string[] = [];
  for (let i = 0; i < Math.max(expected.length, actual.length); i++) {
    const [want, got] = [expected[i], actual[i]];
    if (want === undefined || got === undefined) {
      differences.push(want === undefined ? `unexpected batch ${text(got)}` : `missing batch ${text(want)}`);
      continue;
    }
    const fields = [
      ["batchId", want.batchId, got.batchId],
      ["numInputRows", want.numInputRows, got.numInputRows],
      ["eventTime", want.eventTime, got.eventTime],
      ["output", outputOf(golden, want.output), outputOf(golden, got.output)],
      ["stateOperators", want.stateOperators.map(withoutNullCount), got.stateOperators],
    ] as const;
    for (const [name, wanted, gotten] of fields) {
      if (!near(wanted, gotten)) {
        differences.push(`batch ${want.batchId} ${name}\n    expected ${text(wanted)}\n    actual   ${text(gotten)}`);
      }
    }
  }
  return differences;
}

/** A multiset, in output order only where the plan sorts; a set of a collectSet has no order. */
export function outputOf(golden: GoldenCase, rows: readonly JsonRow[]): readonly JsonRow[] {
  const sets = golden.query.ops.flatMap((op) =>
    ((op["aggs"] ?? []) as { fn: string; as: string }[]).flatMap(({ fn, as }) => (fn === "collectSet" ? [as] : [])),
  );
  const settled = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(sets.filter((name) => Array.isArray(row[name])).map((name) => [name, sorted(row[name])])),
  }));
  return golden.query.ops.some((op) => op.op === "orderBy") ? settled : sorted(settled);
}

const sorted = <T>(values: unknown): readonly T[] =>
  [...(values as readonly T[])].sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));

const withoutNullCount = ({ skippedNullValueCount: _, ...metrics }: Readonly<Record<string, string | number>>) =>
  metrics;

/** Canonical: keys sorted, doubles rounded to what is compared, so that sorting does not depend on their last digits. */
export const text = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return `${part}`;
    if (typeof part === "number" && !Number.isInteger(part)) return Number(part.toPrecision(9));
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** Equal, doubles at relative 1e-9. */
export function near(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") {
    return a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = Object.keys(x);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(y).length &&
    names.every((name) => Object.hasOwn(y, name) && near(x[name], y[name]))
  );
}

export function errorDiffers(expected: GoldenError | undefined, actual: DrivenError | undefined): string[] {
  const scripted = expected?.class === SCRIPTED;
  if (expected === undefined) return actual === undefined ? [] : [`failed: ${actual.message}`];
  if (actual === undefined) return [`did not fail, expected ${JSON.stringify(expected)}`];
  if (scripted !== (actual.code === SCRIPTED)) return [`failed: ${actual.message}`];
  return expected.code === undefined || expected.code === actual.code
    ? []
    : [`refused with ${actual.code}, expected ${expected.code}`];
}
