import { describe, expect, it } from "vitest";
import type { Expression } from "../../lib/plan/expression.js";
import {
  analyseJoin,
  implicitFilters,
  type JoinInputColumns,
  joinOutputWatermark,
} from "../../lib/plan/join-condition.js";
import type { JoinType } from "../../lib/plan/logical-plan.js";
import { and, call, eq, l, number, plus, r } from "../operators/join-expressions.js";

const side = (prefix: "l" | "r", type: "timestamp" | "window" | null = "timestamp"): JoinInputColumns => ({
  schema: {
    fields: [
      { name: `${prefix}t`, type: type ?? "timestamp", nullable: true },
      { name: `${prefix}k`, type: "string", nullable: true },
      { name: `${prefix}v`, type: "long", nullable: true },
    ],
  },
  eventTime: type === null ? undefined : { name: `${prefix}t`, type },
});
const analyse = (on: Expression, type: JoinType = "inner") => analyseJoin(type, on, side("l"), side("r"));
const column = (name: string): Expression => ({ kind: "column", name });
const isNotNull = (name: string) => call("isNotNull", column(name));
const sameKey = eq(l("lk"), r("rk"));

describe("the keys of a join", () => {
  it("are its equalities, whichever side stands first, with the type that holds both", () => {
    const { keys } = analyse(and(eq(r("rk"), l("lk")), call("eqNullSafe", l("lv"), call("add", r("rv"), number(1)))));
    expect(keys).toEqual([
      { left: l("lk"), right: r("rk"), nullSafe: false, type: "string" },
      { left: l("lv"), right: call("add", r("rv"), number(1)), nullSafe: true, type: "long" },
    ]);
  });

  it("are not equalities within one side or over both", () => {
    const mixed = eq(call("add", l("lv"), r("rv")), number(3));
    expect(analyse(and(sameKey, mixed, eq(l("lv"), number(1))))).toMatchObject({ keys: [{}], residual: [mixed] });
  });

  it("carry time where they compare event times or windows, and then both sides go with the watermark", () => {
    expect(analyse(and(sameKey, eq(l("lt"), r("rt"))))).toMatchObject({
      timeKey: 1,
      retentionMs: { left: 0, right: 0 },
    });
    const windows = analyseJoin("inner", eq(r("rt"), l("lt")), side("l", "window"), side("r", "window"));
    expect(windows).toMatchObject({ timeKey: 0, retentionMs: { left: 0, right: 0 } });
    const size = { size: 10e6, slide: 10e6, offset: 0 };
    const windowOf = (time: Expression): Expression => ({ kind: "call", fn: "windowOf", args: [time], options: size });
    expect(analyse(eq(windowOf(l("lt")), windowOf(r("rt"))))).toMatchObject({ timeKey: 0 });
    expect(analyse(sameKey)).toMatchObject({ timeKey: null, retentionMs: { left: null, right: null } });
  });
});

describe("implicit filters", () => {
  const on = and(
    sameKey,
    call("lt", l("lv"), r("rv")),
    call("gt", r("rv"), number(0)),
    call("ne", l("lv"), number(7)),
    call("or", call("isNull", l("lt")), eq(r("rt"), l("lt"))),
  );

  it("take from both sides of an inner or semi join what fails alone, or is NULL where NULL matches nothing", () => {
    for (const type of ["inner", "leftSemi"] as const) {
      const condition = analyse(on, type);
      expect(implicitFilters(condition, "left")).toEqual([
        call("ne", column("lv"), number(7)),
        isNotNull("lk"),
        isNotNull("lv"),
      ]);
      expect(implicitFilters(condition, "right")).toEqual([
        call("gt", column("rv"), number(0)),
        isNotNull("rk"),
        isNotNull("rv"),
      ]);
    }
  });

  it("spare the preserved side of an outer join, whose own conjuncts are told apart", () => {
    const outer = analyse(on, "leftOuter");
    expect(implicitFilters(outer, "left")).toEqual([]);
    expect(outer.own.left).toEqual([call("ne", l("lv"), number(7))]);
    expect(implicitFilters(outer, "right")).toHaveLength(3);
    expect(implicitFilters(analyse(on, "rightOuter"), "right")).toEqual([]);
    const full = analyse(on, "fullOuter");
    expect([implicitFilters(full, "left"), implicitFilters(full, "right")]).toEqual([[], []]);
    expect(full.own.right).toEqual([call("gt", r("rv"), number(0))]);
  });

  it("let NULLs through where the equality is null-safe", () => {
    expect(implicitFilters(analyse(call("eqNullSafe", l("lk"), r("rk"))), "left")).toEqual([]);
  });

  it("reach through arithmetic to the columns", () => {
    const condition = analyse(and(sameKey, call("le", r("rt"), plus(l("lt"), 10))));
    expect(implicitFilters(condition, "left")).toEqual([isNotNull("lk"), isNotNull("lt")]);
  });
});

describe("the watermark that a join passes on", () => {
  it("is the smaller state watermark of its sides", () => {
    const both = analyse(and(sameKey, call("ge", r("rt"), l("lt")), call("le", r("rt"), plus(l("lt"), 300))));
    expect(joinOutputWatermark(both, 1_000_000)).toBe(699_999);
  });

  it("is that of its input where nothing bounds the times, and where the times are equal", () => {
    expect(joinOutputWatermark(analyse(sameKey), 5)).toBe(5);
    expect(joinOutputWatermark(analyse(eq(l("lt"), r("rt"))), 5)).toBe(5);
    expect(joinOutputWatermark(analyse(sameKey), Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
  });
});
