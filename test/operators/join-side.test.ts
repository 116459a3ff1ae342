import { describe, expect, it } from "vitest";
import { joinSide } from "../../lib/operators/join-side.js";
import type { Expression } from "../../lib/plan/expression.js";
import { analyseJoin } from "../../lib/plan/join-condition.js";
import { and, call, eq, l, number, plus, r } from "./join-expressions.js";
import { schemaOf } from "./join-stream.js";

const schemas = { left: schemaOf("l"), right: schemaOf("r") };
const time = { left: { name: "lt", type: "timestamp" }, right: { name: "rt", type: "timestamp" } } as const;

const leftSide = (on: Expression) => {
  const condition = analyseJoin(
    "leftOuter",
    on,
    { schema: schemas.left, eventTime: time.left },
    { schema: schemas.right, eventTime: time.right },
  );
  return joinSide("left", condition, time.left, schemas);
};
const sameKey = eq(l("lk"), r("rk"));
const row = (lk: string | null, lt: number | null) => ({ lt, lk, lv: 1 });

describe("a side of a join", () => {
  it("looks rows up by the equal keys, and matches no NULL key unless told to", () => {
    const probe = (on: Expression, key: string | null) => leftSide(on).probe(row(key, 0));
    expect(probe(sameKey, "a").prefix).toBe(probe(sameKey, "a").prefix);
    expect(probe(sameKey, "a").prefix).not.toBe(probe(sameKey, "b").prefix);
    expect(probe(sameKey, null).comparable).toBe(false);
    expect(probe(call("eqNullSafe", l("lk"), r("rk")), null).comparable).toBe(true);
  });

  it("lets a row go when no partner within the time bounds can come any more", () => {
    const within = and(sameKey, call("ge", r("rt"), l("lt")), call("le", r("rt"), plus(l("lt"), 10)));
    expect(leftSide(within).probe(row("a", 5_000)).expiry).toBeGreaterThanOrEqual(15_000_000);
    expect(leftSide(within).probe(row("a", null)).expiry).toBeNull();
    expect(leftSide(sameKey).probe(row("a", 5_000)).expiry).toBeNull();
  });

  it("finds at once the rows that its own conditions keep from matching", () => {
    const side = leftSide(and(sameKey, call("gt", l("lv"), number(1))));
    expect([1, 2, null].map((lv) => side.mayMatch({ lt: 0, lk: "a", lv }))).toEqual([false, true, false]);
  });

  it("looks up a json value as a time where it is compared with one", () => {
    const json = { fields: [{ name: "j", type: "json", nullable: true }] } as const;
    const mixed = { left: schemas.left, right: json };
    const condition = analyseJoin(
      "inner",
      eq(l("lt"), r("j")),
      { schema: mixed.left, eventTime: time.left },
      { schema: mixed.right, eventTime: undefined },
    );
    const [left, right] = (["left", "right"] as const).map((side) => joinSide(side, condition, null, mixed));
    const prefix = left!.probe(row("a", 5_000)).prefix;
    expect(right!.probe({ j: "1970-01-01T00:00:05Z" })).toMatchObject({ prefix, comparable: true });
    expect(right!.probe({ j: 5_000 })).toMatchObject({ prefix, comparable: true });
    expect(right!.probe({ j: "soon" }).comparable).toBe(false);
  });
});
