import { expect, test } from "vitest";
import { col, dateTrunc, timestampMillis, windowOf, windowTime } from "../../lib/index.js";
import { codeOf } from "../plan/plans.js";

const at = { kind: "column", name: "at" };

test("functions of time write calls", () => {
  expect(timestampMillis(col("at")).expression).toEqual({ kind: "call", fn: "timestampMillis", args: [at] });
  expect(dateTrunc("hour", col("at")).expression).toEqual({
    kind: "call",
    fn: "dateTrunc",
    args: [at],
    options: { unit: "hour" },
  });
});

test("a window of a time has its grid in microseconds, checked at once", () => {
  expect(windowTime(windowOf(col("at"), "5 minutes", { slide: "1 minute" })).expression).toMatchObject({
    fn: "windowTime",
    args: [{ fn: "windowOf", args: [at], options: { size: 300_000_000, slide: 60_000_000, offset: 0 } }],
  });
  expect(codeOf(() => windowOf(col("at"), "1 month"))).toBe("interval-in-months");
});
