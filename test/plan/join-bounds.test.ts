import { describe, expect, it } from "vitest";
import type { Expression } from "../../lib/plan/expression.js";
import { retentionOf } from "../../lib/plan/join-bounds.js";
import { conjuncts } from "../../lib/plan/visit-expression.js";
import { and, call, eq, l, minus, number, plus, r } from "../operators/join-expressions.js";

const timestamps = { left: { name: "lt", type: "timestamp" }, right: { name: "rt", type: "timestamp" } } as const;
const retention = (on: Expression) => retentionOf(conjuncts(on), timestamps);
const lt = l("lt");
const rt = r("rt");

describe("how long rows outlive the watermark", () => {
  it("is one bound per side: the later time decides whose rows go", () => {
    expect(retention(call("ge", rt, lt))).toEqual({ left: null, right: 1 });
    expect(retention(call("le", rt, plus(lt, 10)))).toEqual({ left: 10_001, right: null });
  });

  it("is the same for every spelling of a bound", () => {
    const spellings = [
      call("le", rt, plus(lt, 10)),
      call("ge", plus(lt, 10), rt),
      call("le", minus(rt, 10), lt),
      call("ge", lt, minus(rt, 10)),
      call("le", plus(rt, 5), plus(lt, 15)),
      call("le", minus(rt, 4), minus(plus(lt, 8), 2)),
      call("le", rt, plus(plus(lt, 4), 6)),
      call("le", rt, minus(lt, -10)),
      call("not", call("gt", rt, plus(lt, 10))),
      and(and(eq(l("lk"), r("rk")), call("le", rt, plus(lt, 10))), call("lt", l("lv"), r("rv"))),
    ];
    for (const on of spellings) expect(retention(on)).toEqual({ left: 10_001, right: null });
  });

  it("is a millisecond less for a strict bound", () => {
    expect(retention(call("lt", rt, plus(lt, 10)))).toEqual({ left: 10_000, right: null });
    expect(retention(call("not", call("le", plus(lt, 10), rt)))).toEqual({ left: 10_000, right: null });
  });

  it("is negative where a partner must be older", () => {
    expect(retention(call("ge", rt, plus(lt, 10)))).toEqual({ left: null, right: -9_999 });
  });

  it("rounds a bound below the millisecond towards keeping", () => {
    const micros: Expression = { kind: "interval", micros: 10_000_500, text: "10 seconds 500 microseconds" };
    expect(retention(call("le", rt, call("add", lt, micros)))).toEqual({ left: 10_002, right: null });
  });

  it("is the longest of several bounds on one side", () => {
    expect(retention(and(call("le", rt, plus(lt, 10)), call("le", rt, plus(lt, 60))))).toEqual({
      left: 60_001,
      right: null,
    });
  });

  it("comes from an equality of shifted times too, on both sides", () => {
    expect(retention(eq(plus(lt, 5), plus(rt, 2)))).toEqual({ left: 3_001, right: -2_999 });
  });

  it("reads windows by their end", () => {
    const times = { left: { name: "lw", type: "window" }, right: { name: "rt", type: "timestamp" } } as const;
    const ends = call("le", rt, plus(l("lw", "end"), 10));
    expect(retentionOf([ends], times)).toEqual({ left: 10_001, right: null });
    const last = call("le", rt, plus(call("windowTime", l("lw")), 10));
    expect(retentionOf([last], times)).toEqual({ left: 10_001, right: null });
    expect(retentionOf([call("le", rt, plus(l("lw", "start"), 10))], times)).toEqual({ left: null, right: null });
  });

  it("comes neither from one side alone, nor from other columns, nor through OR", () => {
    const nothing = { left: null, right: null };
    expect(retention(call("gt", l("lv"), number(0)))).toEqual(nothing);
    expect(retention(call("le", lt, plus(lt, 10)))).toEqual(nothing);
    expect(retention(call("le", r("other"), plus(lt, 10)))).toEqual(nothing);
    expect(retention(call("or", call("le", rt, plus(lt, 10)), eq(l("lk"), r("rk"))))).toEqual(nothing);
    expect(retentionOf([call("le", rt, lt)], { left: timestamps.left, right: undefined })).toEqual(nothing);
  });
});
