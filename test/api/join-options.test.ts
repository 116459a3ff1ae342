import { expect, test } from "vitest";
import { type JoinSide, joinCondition } from "../../lib/api/join-options.js";
import { codeOf, events, timedClicks, timedEvents } from "../plan/plans.js";

const sameUser = (left: JoinSide<{ user: never }>, right: JoinSide<{ rk: never }>) => left.user.eq(right.rk);
const condition = (within?: { from?: string; to?: string }) =>
  joinCondition(timedEvents, timedClicks, sameUser as never, within);

test("the condition's columns say which side they are of", () => {
  expect(condition()).toMatchObject({
    fn: "eq",
    args: [
      { name: "user", side: "left" },
      { name: "rk", side: "right" },
    ],
  });
  expect(joinCondition(timedEvents, timedClicks, undefined, undefined)).toBeUndefined();
});

test("within bounds the right event time by the left one, either end alone or both", () => {
  const bounds = (within: { from?: string; to?: string }) => {
    const and = condition(within);
    return and?.kind === "call" ? and.args.slice(1) : [];
  };
  const [right, left] = [
    { kind: "column", name: "rts", side: "right" },
    { kind: "column", name: "ts", side: "left" },
  ];
  const shifted = (micros: number) => ({ fn: "add", args: [left, { kind: "interval", micros }] });
  const from = { fn: "ge", args: [right, shifted(-60_000_000)] };
  const to = { fn: "le", args: [right, shifted(3_600_000_000)] };
  expect(bounds({ from: "-1 minute" })).toMatchObject([from]);
  expect(bounds({ from: "-1 minute", to: "1 hour" })).toMatchObject([from, to]);
});

test("bounds that nothing meets, or that have nothing to bound, are refused", () => {
  expect(codeOf(() => condition({ from: "2 minutes", to: "1 minute" }))).toBe("within-empty");
  const untimed = () => joinCondition(events, timedClicks, sameUser as never, { to: "1 minute" });
  expect(codeOf(untimed)).toBe("within-without-watermark");
});
