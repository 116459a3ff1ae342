import { describe, expect, it } from "vitest";
import { userValue } from "../../lib/operators/user-value.js";

describe("userValue", () => {
  it("makes absent values NULL and times event times", () => {
    expect([undefined, null, 0].map(userValue("long", "n"))).toEqual([null, null, 0]);
    expect([new Date(1), 1, "1970-01-01T00:00:00.001Z", undefined].map(userValue("timestamp", "t"))).toEqual([
      1,
      1,
      1,
      null,
    ]);
    expect(() => userValue("timestamp", "t")({})).toThrow(
      "[output-not-a-time] A function returned something in the column 't' that is no time.",
    );
  });
});
