import { describe, expect, test } from "vitest";
import { makeSession, makeWindow } from "../../../lib/plan/nodes/nodes.js";
import { codeOf } from "../plans.js";

const minute = 60_000_000;
const window = (size: string, slide?: string, offset?: string) =>
  codeOf(() =>
    makeWindow({
      column: "ts",
      size,
      ...(slide === undefined ? {} : { slide }),
      ...(offset === undefined ? {} : { offset }),
    }),
  );

describe("makeWindow", () => {
  test("is tumbling unless the slide is shorter than the size", () => {
    expect(makeWindow({ column: "ts", size: "5 minutes" })).toEqual({
      kind: "tumbling",
      column: "ts",
      size: 5 * minute,
      slide: 5 * minute,
      offset: 0,
      as: "window",
    });
    expect(makeWindow({ column: "ts", size: "5 minutes", slide: "1 minute", offset: "-30 s", as: "w" })).toEqual({
      kind: "sliding",
      column: "ts",
      size: 5 * minute,
      slide: minute,
      offset: -minute / 2,
      as: "w",
    });
  });

  test("wants 0 < slide <= size and |offset| < slide", () => {
    expect(window("0 seconds")).toBe("window-out-of-range");
    expect(window("-5 minutes")).toBe("window-out-of-range");
    expect(window("5 minutes", "0 seconds")).toBe("window-out-of-range");
    expect(window("5 minutes", "-1 minute")).toBe("window-out-of-range");
    expect(window("5 minutes", "10 minutes")).toBe("window-out-of-range");
    expect(window("5 minutes", "5 minutes", "5 minutes")).toBe("window-out-of-range");
    expect(window("5 minutes", "5 minutes", "-5 minutes")).toBe("window-out-of-range");
    expect(window("5 minutes", "5 minutes", "4 minutes")).toBe("accepted");
  });

  test("wants no more windows for a row than one can wait for", () => {
    expect(window("1 day", "1 millisecond")).toBe("window-out-of-range");
    expect(window("1 day", "1 second")).toBe("accepted");
  });

  test("is not cut by months", () => {
    expect(window("1 month")).toBe("interval-in-months");
  });
});

describe("makeSession", () => {
  test("reads its gap, keeps one that was read", () => {
    expect(makeSession("ts", "5 minutes")).toMatchObject({ kind: "session", gap: 5 * minute, as: "session_window" });
    expect(makeSession("ts", null, "s")).toMatchObject({ gap: null, as: "s" });
    expect(codeOf(() => makeSession("ts", "five"))).toBe("invalid-interval");
  });
});
