import { describe, expect, it } from "vitest";
import { deadlineOf } from "../../lib/lambda/deadline.js";

describe("the deadline of an invocation", () => {
  it("keeps a quarter of the time, at most 30 seconds", () => {
    expect(deadlineOf(1_000, 60_000, null)).toEqual({ at: 61_000, reserveMs: 15_000 });
    expect(deadlineOf(1_000, 900_000, null).reserveMs).toBe(30_000);
  });

  it("keeps what the environment says", () => {
    expect(deadlineOf(0, 60_000, 2_000).reserveMs).toBe(2_000);
  });
});
