import { describe, expect, it } from "vitest";
import type { Expression } from "../../lib/plan/expression.js";
import { analyseJoin } from "../../lib/plan/join-condition.js";
import { unboundedSides, unsupportedJoin, unsupportedStaticJoin } from "../../lib/plan/join-support.js";
import type { JoinType, OutputMode } from "../../lib/plan/logical-plan.js";
import { and, call, eq, l, plus, r } from "../operators/join-expressions.js";

const schema = (prefix: string) => ({
  fields: [
    { name: `${prefix}t`, type: "timestamp" as const, nullable: true },
    { name: `${prefix}k`, type: "string" as const, nullable: true },
  ],
});
const time = (name: string) => ({ name, type: "timestamp" as const });
const analyse = (type: JoinType, on: Expression, marked = { left: true, right: true }) =>
  analyseJoin(
    type,
    on,
    { schema: schema("l"), eventTime: marked.left ? time("lt") : undefined },
    { schema: schema("r"), eventTime: marked.right ? time("rt") : undefined },
  );
const refuse = (type: JoinType, on: Expression, mode: OutputMode = "append", marked = { left: true, right: true }) =>
  unsupportedJoin(type, analyse(type, on, marked), mode);

const sameKey = eq(l("lk"), r("rk"));
const leftWaits = and(sameKey, call("le", r("rt"), plus(l("lt"), 10)));
const rightWaits = and(sameKey, call("ge", r("rt"), l("lt")));
const both = and(leftWaits, rightWaits);

describe("a join of two streams", () => {
  it("needs a bound on the side whose rows wait for an answer", () => {
    expect(refuse("leftOuter", leftWaits)).toBeNull();
    expect(refuse("leftOuter", rightWaits)).toBe("join-never-emits");
    expect(refuse("leftSemi", leftWaits)).toBeNull();
    expect(refuse("leftSemi", rightWaits)).toBe("join-never-emits");
    expect(refuse("rightOuter", rightWaits)).toBeNull();
    expect(refuse("rightOuter", leftWaits)).toBe("join-never-emits");
    expect(refuse("fullOuter", leftWaits)).toBeNull();
    expect(refuse("fullOuter", sameKey)).toBe("join-never-emits");
    expect(refuse("inner", sameKey)).toBeNull();
  });

  it("needs watermarks on both sides for that, where Spark is content with one and then never pads", () => {
    for (const type of ["leftOuter", "rightOuter", "fullOuter", "leftSemi"] as const) {
      expect(refuse(type, both)).toBeNull();
      expect(refuse(type, both, "append", { left: true, right: false })).toBe("join-never-emits");
      expect(refuse(type, both, "append", { left: false, right: true })).toBe("join-never-emits");
    }
  });

  it("may be inner or left semi in update mode, and nothing in complete mode", () => {
    expect(refuse("inner", both, "update")).toBeNull();
    expect(refuse("leftSemi", both, "update")).toBeNull();
    expect(refuse("leftOuter", both, "update")).toBe("join-output-mode");
    expect(refuse("inner", both, "complete")).toBe("join-output-mode");
  });

  it("needs an equality, and is never anti", () => {
    expect(refuse("inner", call("ge", r("rt"), l("lt")))).toBe("join-without-equality");
    expect(refuse("leftAnti", both)).toBe("join-left-anti");
  });

  it("tells which sides are kept for ever", () => {
    expect(unboundedSides(analyse("inner", sameKey))).toEqual(["left", "right"]);
    expect(unboundedSides(analyse("inner", leftWaits))).toEqual(["right"]);
    expect(unboundedSides(analyse("inner", both))).toEqual([]);
  });
});

describe("a join with a fixed table", () => {
  it("may not have to pad or keep the table's rows", () => {
    expect(unsupportedStaticJoin("rightOuter")).toBe("join-static-side");
    expect(unsupportedStaticJoin("fullOuter")).toBe("join-static-side");
    expect(unsupportedStaticJoin("leftAnti")).toBeNull();
  });
});
