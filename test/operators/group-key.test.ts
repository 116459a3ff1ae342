import { describe, expect, it } from "vitest";
import { windowGroupRow, windowPrefix } from "../../lib/operators/group-key.js";
import { keyColumns } from "../../lib/operators/key-columns.js";

const keys = keyColumns([{ name: "k", type: "string", nullable: true }]);

describe("the key of a window's group", () => {
  it("gives window and keys back, also before 1970 and for keys with control characters", () => {
    for (const [start, k] of [
      [0, "a"],
      [-300_000_000, "\u0002,\u0000"],
      [1_700_000_000_000_000, null],
    ] as const) {
      const key = windowPrefix(start, 300_000_000) + keys.encode({ k });
      expect(windowGroupRow(key, "w", keys)).toEqual({ w: { start: start / 1000, end: start / 1000 + 300_000 }, k });
    }
  });

  it("tells windows of one end and different sizes apart", () => {
    expect(windowPrefix(0, 600)).not.toBe(windowPrefix(300, 300));
  });

  it("says that a key is damaged instead of guessing", () => {
    expect(() => windowGroupRow("nothing", "w", keys)).toThrow("corrupt-key");
  });
});
