import { describe, expect, test } from "vitest";
import { col, sessionWindow, window } from "../../lib/index.js";
import { codeOf } from "../plan/plans.js";

const minute = 60_000_000;

test("window takes Spark's arguments in options", () => {
  expect(window("at", "5 minutes", { slide: "1 minute", offset: "30 s", as: "w" }).spec).toEqual({
    kind: "sliding",
    column: "at",
    size: 5 * minute,
    slide: minute,
    offset: minute / 2,
    as: "w",
  });
  expect(codeOf(() => window("at", "5 minutes", { slide: "6 minutes" }))).toBe("window-out-of-range");
});

describe("the gap of a session", () => {
  test("is an interval", () => {
    expect(sessionWindow("at", "30 minutes").spec).toMatchObject({ gap: 30 * minute, as: "session_window" });
    expect(codeOf(() => sessionWindow("at", "half an hour"))).toBe("invalid-interval");
  });

  test("is cases tried in order, null for a row to be ignored", () => {
    const { spec } = sessionWindow("at", {
      cases: [{ when: col("bot"), gap: null }],
      otherwise: "1 minute",
    });
    expect(spec).toMatchObject({
      gap: { cases: [{ when: { kind: "column", name: "bot" }, gap: null }], otherwise: minute },
    });
  });

  test("is a function of the row, kept beside the plan, in microseconds there", () => {
    const { spec, functions } = sessionWindow("at", (row) => (row["bot"] === true ? null : "1 minute"));
    const [id = "", micros] = Object.entries(functions)[0] ?? [];
    expect(spec).toMatchObject({ gap: { function: id } });
    const gapOf = micros as (row: object) => unknown;
    expect([gapOf({ bot: true }), gapOf({ bot: false })]).toEqual([null, minute]);
  });

  test("of a row that names none, or none that parses, ignores the row instead of stopping at it", () => {
    const { functions } = sessionWindow("at", (row) => row["gap"] as string);
    const gapOf = Object.values(functions)[0] as (row: object) => unknown;
    expect(["abc", "", "9999999 years", undefined, null].map((gap) => gapOf({ gap }))).toEqual(Array(5).fill(null));
    expect(() => gapOf({ gap: 5 })).toThrow("invalid-interval");
  });
});
