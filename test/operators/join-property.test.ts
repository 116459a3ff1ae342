import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { and, call, eq, l, plus, r } from "./join-expressions.js";
import { joinStream, type PassReport, pairs, type Tuple } from "./join-stream.js";

const on = and(eq(l("lk"), r("rk")), call("ge", r("rt"), plus(l("lt"), -5)), call("lt", r("rt"), plus(l("lt"), 8)));
const types = ["inner", "leftOuter", "rightOuter", "fullOuter", "leftSemi"] as const;

interface Arrival {
  readonly side: "left" | "right";
  /** Seconds by which its time is ahead of the watermark: never late, and often just at the edge of what is evicted. */
  readonly ahead: number;
  readonly key: string | null;
}

const arrival = fc.record<Arrival>({
  side: fc.constantFrom("left", "right"),
  ahead: fc.constantFrom(0.001, 0.002, 1, 3, 5, 5.001, 7.999, 8, 8.001, 13),
  key: fc.constantFrom("a", "a", "b", null),
});
const batches = fc.array(fc.array(arrival, { maxLength: 4 }), { maxLength: 20 });

interface Rows {
  readonly left: Tuple[];
  readonly right: Tuple[];
}

function rowsOf(batch: readonly Arrival[], watermark: number): Rows {
  const rows: Rows = { left: [], right: [] };
  for (const { side, ahead, key } of batch) rows[side].push([Math.round((watermark + ahead) * 1000) / 1000, key]);
  return rows;
}

/** Every pair by nested loops, then what SQL makes of the rest. */
function bruteForce(type: (typeof types)[number], { left, right }: Rows): unknown[][] {
  const match = ([lt, lk]: Tuple, [rt, rk]: Tuple) => {
    const apart = Math.round((rt! - lt!) * 1000);
    return lk !== null && lk === rk && apart >= -5000 && apart < 8000;
  };
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
      fc.property(batches, fc.integer({ min: 0, max: 5 }), fc.boolean(), (list, delaySeconds, settle) => {
        const join = joinStream({ type, on, delaySeconds, settle });
        const all: Rows = { left: [], right: [] };
        const reports: PassReport[] = [];
        for (const batch of list) {
          const rows = rowsOf(batch, join.watermark);
          reports.push(...join.add(rows));
          all.left.push(...rows.left);
          all.right.push(...rows.right);
        }
        reports.push(join.pass(1e9));
        expect(reports.flatMap(({ late }) => late)).toEqual([]);
        expect(join.operator.metrics().numRowsTotal).toBe(0);
        expect(sorted(pairs(reports))).toEqual(sorted(bruteForce(type, all)));
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});
