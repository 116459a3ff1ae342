import { describe, expect, it } from "vitest";
import type { Expression } from "../../lib/plan/expression.js";
import { unsupportedJoin } from "../../lib/plan/join-support.js";
import { makeSchema } from "../../lib/plan/make-schema.js";
import { aggregateNode, joinNode, makeWindow, sourceNode, watermarkNode } from "../../lib/plan/nodes/nodes.js";
import type { Window } from "../../lib/time/window.js";
import { and, call, eq, l, minus, number, plus, r } from "../operators/join-expressions.js";
import { joinStream, pairs, type Tuple } from "../operators/join-stream.js";
import { plannedQuery } from "./planned-query.js";

/** Faults of other engines' joins, restated as small inputs. Keys are texts, times seconds. */
const sameKey = eq(l("lk"), r("rk"));
const at = (...times: number[]): Tuple[] => times.map((time) => [time, String(time)]);

const windowOf = (time: Expression): Expression => ({
  kind: "call",
  fn: "windowOf",
  args: [time],
  options: { size: 10e6, slide: 10e6, offset: 0 },
});

describe("trial 46: unmatched outer rows that never come", () => {
  // https://boxofcuriosities.co.uk/post/spark-structured-streaming-when-performing-a-stream-to
  const on = and(sameKey, eq(windowOf(l("lt")), windowOf(r("rt"))));

  it("come when the watermark passes their window, once", () => {
    const join = joinStream({ type: "leftOuter", on, delaySeconds: 10 });
    expect(pairs(join.add({ left: at(1, 2, 3, 4, 5), right: at(3, 4, 5, 6, 7) }))).toEqual([
      [3, "3", 3, "3"],
      [4, "4", 4, "4"],
      [5, "5", 5, "5"],
    ]);
    const reports = join.add({ left: at(21), right: at(22) });
    expect(join.watermark).toBe(11);
    expect(pairs(reports)).toEqual([
      [1, "1", null, null],
      [2, "2", null, null],
    ]);
    expect(reports.at(-1)!.metrics.numRowsTotal).toBe(2);
    expect(pairs(join.add({ left: at(22) }))).toEqual([[22, "22", 22, "22"]]);
  });

  it("wait while the watermark is inside their window, and are counted as waiting", () => {
    const join = joinStream({ type: "leftOuter", on, delaySeconds: 10 });
    join.add({ left: at(1), right: at(6) });
    const reports = join.add({ left: at(19.999), right: at(19.999) });
    expect(pairs(reports)).toEqual([[19.999, "19.999", 19.999, "19.999"]]);
    expect(reports.at(-1)!.metrics.numRowsTotal).toBe(4);
  });
});

describe("trial 48: input and eviction of one key in one batch", () => {
  // SPARK-38684, https://github.com/apache/spark/pull/36002
  it("neither loses a padded row nor a match", () => {
    const on = and(sameKey, call("ge", l("lt"), minus(r("rt"), 30)), call("le", l("lt"), plus(r("rt"), 30)));
    const join = joinStream({ type: "leftOuter", on, settle: false });
    const k = (seconds: number): Tuple[] => [[10_000 + seconds, "k"]];
    expect(pairs(join.add({ left: k(0), right: k(60) }))).toEqual([]);
    expect(pairs(join.add({ left: k(3600), right: k(3660) }))).toEqual([]);
    expect(pairs(join.add({ left: k(5400) }))).toEqual([[10_000, "k", null, null]]);
    expect(pairs(join.add({ right: k(5410) }))).toEqual([
      [15_400, "k", 15_410, "k"],
      [13_600, "k", null, null],
    ]);
  });
});

describe("trial 49: both sides of a pair arrive and expire in one batch", () => {
  // SPARK-49829, https://github.com/apache/spark/pull/48297
  it("joins the windows of two aggregations that close together", () => {
    const sums = (side: "l" | "r") => {
      const source = sourceNode(
        side,
        { kind: "memory" },
        makeSchema([
          { name: "t", type: "timestamp", nullable: true },
          { name: "v", type: "long", nullable: true },
        ]),
      );
      return aggregateNode(watermarkNode(source, "t", "5 seconds"), {
        window: makeWindow({ column: "t", size: "10 seconds", as: `${side}w` }),
        keys: [],
        aggregates: [{ as: `${side}sum`, fn: "sum", value: { kind: "column", name: "v" } }],
      });
    };
    const query = plannedQuery(joinNode(sums("l"), sums("r"), { type: "inner", on: eq(l("lw"), r("rw")) }));
    const add = (left: number[], right: number[]) => {
      const rows = (values: number[]) => values.map((v) => ({ t: v * 1000, v }));
      const { output } = query.add({ l: rows(left), r: rows(right) });
      return output.map((row) => [(row["lw"] as Window).end / 1000, row["lsum"], row["rsum"]]);
    };
    expect(add([1, 2, 3, 4, 5], [5, 6, 7, 8, 9])).toEqual([]);
    expect(add([11, 12, 13, 14, 15], [15, 16, 17, 18, 19])).toEqual([[10, 15, 35]]);
    expect(add([100], [101])).toEqual([[20, 65, 85]]);
  });
});

describe("trial 52: a filter that touches one side only", () => {
  it("pads the rows that fail it at once and does not store them", () => {
    const on = and(sameKey, call("le", r("rt"), plus(l("lt"), 10)), call("gt", l("lv"), number(4)));
    const join = joinStream({ type: "leftOuter", on, delaySeconds: 10 });
    const left: Tuple[] = [1, 2, 5, 6].map((v) => [20, String(v), v]);
    const right: Tuple[] = [
      [20, "5", 5],
      [20, "7", 7],
    ];
    const [report] = join.add({ left, right });
    expect(pairs([report!])).toEqual([
      [20, "1", null, null],
      [20, "2", null, null],
      [20, "5", 20, "5"],
    ]);
    expect(report!.metrics.numRowsTotal).toBe(4);
  });
});

describe("trial 53: NULL join keys", () => {
  const within = call("le", r("rt"), plus(l("lt"), 10));

  it("never match with =, and the outer side's row still comes out when the watermark passes", () => {
    const join = joinStream({ type: "leftOuter", on: and(sameKey, within) });
    expect(pairs(join.add({ left: [[1, null]], right: [[2, null]] }))).toEqual([]);
    expect(pairs(join.add({ left: [[30, "z"]], right: [[30, "z"]] }))).toEqual([
      [30, "z", 30, "z"],
      [1, null, null, null],
    ]);
  });

  it("match with <=>", () => {
    const join = joinStream({ type: "leftOuter", on: and(call("eqNullSafe", l("lk"), r("rk")), within) });
    expect(pairs(join.add({ left: [[1, null]], right: [[2, null]] }))).toEqual([[1, null, 2, null]]);
  });
});

describe("trial 54: a range condition in the useless direction", () => {
  const refused = (range: Expression) => {
    const { condition } = joinStream({ type: "leftOuter", on: and(sameKey, range) });
    return unsupportedJoin("leftOuter", condition, "append");
  };

  it("is refused at build time, the other direction is not", () => {
    expect(refused(call("lt", l("lt"), plus(r("rt"), 10)))).toBe("join-never-emits");
    expect(refused(call("gt", l("lt"), plus(r("rt"), 10)))).toBeNull();
  });
});
