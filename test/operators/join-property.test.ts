import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { and, call, eq, l, plus, r } from "./join-expressions.js";
import { joinStream, type PassReport, pairs, type Tuple } from "./join-stream.js";

const DELAY = 20;
const on = and(eq(l("lk"), r("rk")), call("ge", r("rt"), plus(l("lt"), -5)), call("lt", r("rt"), plus(l("lt"), 8)));
const types = ["inner", "leftOuter", "rightOuter", "fullOuter", "leftSemi"] as const;

interface Arrival {
  readonly side: "left" | "right";
  /** Seconds after the previous arrival; the row's time lags behind its arrival by less than the delay. */
  readonly gap: number;
  readonly lag: number;
  readonly key: string | null;
  readonly cut: boolean;
}

const arrivals = fc.array(
  fc.record<Arrival>({
    side: fc.constantFrom("left", "right"),
    gap: fc.integer({ min: 0, max: 6 }),
    lag: fc.integer({ min: 0, max: DELAY - 1 }),
    key: fc.constantFrom("a", "b", null),
    cut: fc.boolean(),
  }),
  { maxLength: 40 },
);

type Rows = { readonly left: Tuple[]; readonly right: Tuple[] };

function batchesOf(list: readonly Arrival[]): Rows[] {
  const batches: Rows[] = [{ left: [], right: [] }];
  let now = 1000;
  for (const { side, gap, lag, key, cut } of list) {
    now += gap;
    batches.at(-1)![side].push([now - lag, key]);
    if (cut) batches.push({ left: [], right: [] });
  }
  return batches;
}

/** Every pair by nested loops, then what SQL makes of the rest. */
function bruteForce(type: (typeof types)[number], { left, right }: Rows): unknown[][] {
  const match = ([lt, lk]: Tuple, [rt, rk]: Tuple) => lk !== null && lk === rk && rt! >= lt! - 5 && rt! < lt! + 8;
  const first = (tuple: Tuple) => [tuple[0], tuple[1]];
  if (type === "leftSemi") return left.filter((a) => right.some((b) => match(a, b))).map(first);
  const rows = left.flatMap((a) => right.filter((b) => match(a, b)).map((b) => [...first(a), ...first(b)]));
  if (type === "leftOuter" || type === "fullOuter")
    rows.push(...left.filter((a) => !right.some((b) => match(a, b))).map((a) => [...first(a), null, null]));
  if (type === "rightOuter" || type === "fullOuter")
    rows.push(...right.filter((b) => !left.some((a) => match(a, b))).map((b) => [null, null, ...first(b)]));
  return rows;
}

const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).sort();

describe("a join of rows in time", () => {
  it.each(types)("gives what nested loops over all rows give, however they are batched: %s", (type) => {
    fc.assert(
      fc.property(arrivals, fc.boolean(), (list, settle) => {
        const join = joinStream({ type, on, delaySeconds: DELAY, settle });
        const batches = batchesOf(list);
        const reports: PassReport[] = batches.flatMap((batch) => join.add(batch));
        reports.push(join.pass(1e9));
        expect(reports.flatMap(({ late }) => late)).toEqual([]);
        expect(join.operator.metrics().numRowsTotal).toBe(0);
        const all = { left: batches.flatMap(({ left }) => left), right: batches.flatMap(({ right }) => right) };
        expect(sorted(pairs(reports))).toEqual(sorted(bruteForce(type, all)));
      }),
      { numRuns: 150, seed: 7 },
    );
  });
});
