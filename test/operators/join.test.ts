import { describe, expect, it } from "vitest";
import { and, call, eq, l, minus, number, plus, r } from "./join-expressions.js";
import { joinStream, pairs } from "./join-stream.js";

const sameKey = eq(l("lk"), r("rk"));
const range = and(sameKey, call("ge", r("rt"), l("lt")), call("le", r("rt"), plus(l("lt"), 10)));

describe("inner join", () => {
  it("matches rows within a batch and across batches, whatever the side that came first", () => {
    const join = joinStream({ type: "inner", on: range, delaySeconds: 100 });
    expect(pairs(join.add({ left: [[1, "a"]], right: [[2, "a"]] }))).toEqual([[1, "a", 2, "a"]]);
    expect(pairs(join.add({ left: [[0.5, "a"]] }))).toEqual([[0.5, "a", 2, "a"]]);
    expect(pairs(join.add({ right: [[5, "a"]] }))).toEqual([
      [1, "a", 5, "a"],
      [0.5, "a", 5, "a"],
    ]);
  });

  it("keeps equal rows apart", () => {
    const join = joinStream({ type: "inner", on: sameKey });
    const twice = [[1, "a"] as const, [1, "a"] as const];
    const [report] = join.add({ left: twice, right: twice });
    expect(report!.rows).toHaveLength(4);
    expect(report!.metrics).toMatchObject({ numRowsTotal: 4, numRowsUpdated: 4, rowsIn: 4, accepted: 4 });
  });

  it("keeps a right row until the watermark has passed it, and a left row as long as the range", () => {
    const join = joinStream({ type: "inner", on: range });
    const total = (seconds: number) => join.pass(seconds).metrics.numRowsTotal;
    join.add({ left: [[20, "a"]], right: [[20, "b"]] });
    expect([total(20), total(20.001), total(30), total(30.001)]).toEqual([2, 1, 1, 0]);
  });

  it("lets a strict range go one millisecond earlier", () => {
    const strict = and(sameKey, call("gt", r("rt"), l("lt")), call("lt", r("rt"), plus(l("lt"), 10)));
    const join = joinStream({ type: "inner", on: strict });
    const total = (seconds: number) => join.pass(seconds).metrics.numRowsTotal;
    join.add({ left: [[20, "a"]], right: [[20.001, "b"]] });
    expect([total(20), total(20.001), total(29.999), total(30)]).toEqual([2, 1, 1, 0]);
  });

  it("does not store a right row that is already due, but matches it first", () => {
    const join = joinStream({ type: "inner", on: range, settle: false });
    join.add({ left: [[0, "z"]], right: [[0, "y"]] });
    join.add({ left: [[30, "z"]], right: [[30, "y"]] });
    const reports = join.add({ left: [[25, "b"]], right: [[28, "b"]] });
    expect(pairs(reports)).toEqual([[25, "b", 28, "b"]]);
    expect(reports[0]!.metrics).toMatchObject({ numRowsUpdated: 1 });
  });

  it("evicts nothing unless both sides have a watermark, and wants no pass for it", () => {
    const join = joinStream({ type: "inner", on: range, watermarked: { left: true, right: false } });
    join.add({ left: [[20, "a"]], right: [[20, "b"]] });
    expect(join.operator.wantsNoDataPass).toBe(false);
    expect(join.pass(1000).metrics).toMatchObject({ numRowsTotal: 2, numRowsRemoved: 0 });
  });

  it("counts late rows one by one, reports each, and matches none", () => {
    const join = joinStream({ type: "inner", on: range, delaySeconds: 10 });
    join.add({ left: [[50, "a"]], right: [[50, "a"]] });
    const [report] = join.add({
      left: [[40, "a", 7]],
      right: [
        [40, "a"],
        [40.001, "a"],
      ],
    });
    expect(report!.metrics).toMatchObject({
      numRowsDroppedByWatermark: 2,
      numLateInputRows: 2,
      accepted: 1,
      rowsIn: 3,
    });
    expect(report!.rows).toEqual([]);
    expect(report!.late).toContainEqual({
      operatorId: "j",
      row: { lt: 40_000, lk: "a", lv: 7 },
      origin: null,
      eventTime: 40_000,
      watermark: 40_000,
    });
  });

  it("passes on the smaller state watermark, or its input's where nothing bounds the times", () => {
    expect(joinStream({ type: "inner", on: range }).operator.outputWatermark(60_000)).toBe(49_999);
    expect(joinStream({ type: "inner", on: sameKey }).operator.outputWatermark(60_000)).toBe(60_000);
  });

  it("evicts by the key where the event times are equal", () => {
    const join = joinStream({ type: "inner", on: and(sameKey, eq(l("lt"), r("rt"))) });
    join.add({
      left: [
        [20, "a"],
        [21, "a"],
      ],
      right: [[20, "b"]],
    });
    expect(join.pass(20).metrics).toMatchObject({ numRowsTotal: 1 });
  });
});

describe("outer joins", () => {
  it("pad an unmatched row in the pass that evicts it, after that pass's matches", () => {
    const join = joinStream({ type: "leftOuter", on: range, settle: false });
    join.add({
      left: [
        [5, "a"],
        [6, "b"],
      ],
    });
    join.add({ left: [[16.001, "z"]], right: [[16.001, "z"]] });
    expect(pairs(join.add({ right: [[16, "b"]] }))).toEqual([
      [6, "b", 16, "b"],
      [5, "a", null, null],
    ]);
    expect(pairs([join.pass(16.001)])).toEqual([]);
  });

  it("pad both sides in a full outer join, each by its own bound", () => {
    const join = joinStream({ type: "fullOuter", on: range });
    join.add({ left: [[5, "a"]], right: [[6, "b"]] });
    expect(pairs([join.pass(6.001)])).toEqual([[null, null, 6, "b"]]);
    expect(pairs([join.pass(15)])).toEqual([]);
    expect(pairs([join.pass(15.001)])).toEqual([[5, "a", null, null]]);
  });

  it("count a failed residual condition as no match", () => {
    const join = joinStream({ type: "leftOuter", on: and(range, call("lt", l("lv"), r("rv"))) });
    expect(pairs(join.add({ left: [[1, "a", 5]], right: [[2, "a", 5]] }))).toEqual([]);
    expect(pairs(join.add({ left: [[60, "z", 0]], right: [[60, "z", 1]] }))).toEqual([
      [60, "z", 60, "z"],
      [1, "a", null, null],
    ]);
  });

  it("pad at once a row that fails a condition on its own side, without storing it, and still evict the others", () => {
    const join = joinStream({ type: "leftOuter", on: and(range, call("gt", l("lv"), number(0))) });
    const [report] = join.add({
      left: [
        [1, "a", -1],
        [1, "b", 5],
      ],
      right: [[2, "a", 4]],
    });
    expect(pairs([report!])).toEqual([[1, "a", null, null]]);
    expect(report!.metrics).toMatchObject({ numRowsTotal: 2 });
    expect(pairs(join.add({ left: [[60, "z", 1]], right: [[60, "z", 1]] }))).toEqual([
      [60, "z", 60, "z"],
      [1, "b", null, null],
    ]);
  });

  it("never match NULL keys, not even in a full outer join, and pad their rows when they are evicted", () => {
    const join = joinStream({ type: "fullOuter", on: range });
    expect(pairs(join.add({ left: [[1, null]], right: [[2, null]] }))).toEqual([]);
    expect(pairs(join.add({ left: [[60, "z"]], right: [[60, "z"]] }))).toEqual([
      [60, "z", 60, "z"],
      [1, null, null, null],
      [null, null, 2, null],
    ]);
  });

  it("match NULL keys where the equality is null-safe", () => {
    const on = and(call("eqNullSafe", l("lk"), r("rk")), call("le", r("rt"), plus(l("lt"), 10)));
    const join = joinStream({ type: "leftOuter", on });
    expect(
      pairs(
        join.add({
          left: [[1, null]],
          right: [
            [2, null],
            [2, ""],
          ],
        }),
      ),
    ).toEqual([[1, null, 2, null]]);
  });

  it("keep a row without event time for ever, as nothing ever decides about it", () => {
    const join = joinStream({ type: "fullOuter", on: range });
    join.add({
      left: [
        [null, "a"],
        [1, "a"],
      ],
      right: [[2, "a"]],
    });
    expect(join.pass(1e6).metrics).toMatchObject({ numRowsTotal: 1 });
  });

  it("pad a right row that is due on arrival in the pass it came in", () => {
    const join = joinStream({
      type: "rightOuter",
      on: and(range, call("ge", r("rt"), minus(l("lt"), 5))),
      settle: false,
    });
    join.add({ left: [[30, "z"]], right: [[30, "z"]] });
    const [report] = join.add({ right: [[20, "a"]] });
    expect(pairs([report!])).toEqual([[null, null, 20, "a"]]);
    expect(report!.metrics).toMatchObject({ numRowsUpdated: 1, numRowsRemoved: 1 });
  });
});

describe("left semi join", () => {
  it("emits a left row once, at its first match, and forgets it", () => {
    const join = joinStream({ type: "leftSemi", on: range, delaySeconds: 100 });
    expect(
      pairs(
        join.add({
          left: [
            [1, "a"],
            [2, "b"],
          ],
          right: [
            [3, "a"],
            [3, "a"],
          ],
        }),
      ),
    ).toEqual([[1, "a"]]);
    const [report] = join.add({
      right: [
        [4, "a"],
        [4, "b"],
        [5, "b"],
      ],
    });
    expect(pairs([report!])).toEqual([[2, "b"]]);
    expect(report!.metrics).toMatchObject({ numRowsRemoved: 1, numRowsUpdated: 3, numRowsTotal: 5 });
  });

  it("finds the match of a right row that is due on arrival, which Spark loses", () => {
    const join = joinStream({ type: "leftSemi", on: range, settle: false });
    join.add({ left: [[0, "z"]], right: [[0, "y"]] });
    join.add({ left: [[30, "z"]], right: [[30, "y"]] });
    const [report] = join.add({
      left: [
        [25, "b"],
        [25, "c"],
      ],
      right: [
        [28, "b"],
        [30, "c"],
      ],
    });
    expect(pairs([report!])).toEqual([
      [25, "b"],
      [25, "c"],
    ]);
    expect(report!.metrics).toMatchObject({ numRowsUpdated: 1 });
  });

  it("gives a left row without a match up when it is evicted", () => {
    const join = joinStream({ type: "leftSemi", on: range });
    join.add({ left: [[1, "a"]] });
    expect(pairs([join.pass(100)])).toEqual([]);
    expect(join.operator.metrics()).toMatchObject({ numRowsTotal: 0, numRowsRemoved: 1 });
  });
});
