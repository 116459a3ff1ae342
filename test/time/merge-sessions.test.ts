import { describe, expect, it } from "vitest";
import { mergeSessions } from "../../lib/time/merge-sessions.js";

const bounds = (intervals: readonly { start: number; end: number }[]) =>
  mergeSessions(intervals).map(({ start, end, members }) => [start, end, members.length]);

describe("mergeSessions", () => {
  it("merges rows exactly one gap apart", () => {
    expect(
      bounds([
        { start: 0, end: 10 },
        { start: 10, end: 20 },
      ]),
    ).toEqual([[0, 20, 2]]);
  });

  it("keeps rows one microsecond further apart in two sessions", () => {
    expect(
      bounds([
        { start: 0, end: 10 },
        { start: 11, end: 21 },
      ]),
    ).toEqual([
      [0, 10, 1],
      [11, 21, 1],
    ]);
  });

  it("joins two sessions by a bridging row, whatever the order of arrival", () => {
    expect(
      bounds([
        { start: 40, end: 51 },
        { start: 25, end: 35 },
        { start: 30, end: 40 },
      ]),
    ).toEqual([[25, 51, 3]]);
  });

  it("does not shorten a session by a short gap inside it", () => {
    expect(
      bounds([
        { start: 0, end: 100 },
        { start: 50, end: 55 },
        { start: 90, end: 95 },
      ]),
    ).toEqual([[0, 100, 3]]);
  });

  it("keeps the given order among equal starts", () => {
    const first = { start: 5, end: 9, name: "stored" };
    const second = { start: 5, end: 7, name: "new" };
    const early = { start: 1, end: 6, name: "early" };
    expect(mergeSessions([first, second, early])[0]?.members.map(({ name }) => name)).toEqual([
      "early",
      "stored",
      "new",
    ]);
  });

  it("finds no session in no rows", () => {
    expect(mergeSessions([])).toEqual([]);
  });
});
