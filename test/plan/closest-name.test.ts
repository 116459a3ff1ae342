import { describe, expect, it } from "vitest";
import { closestName } from "../../lib/plan/closest-name.js";

describe("the closest name", () => {
  it("is one a typing error or two away, whatever the case of its letters", () => {
    expect(closestName("pgae", ["eventTime", "page"])).toBe("page");
    expect(closestName("eventtime", ["eventTime", "page"])).toBe("eventTime");
    expect(closestName("durationM", ["durationMs", "duration"])).toBe("durationMs");
  });

  it("is none where the name would be another word", () => {
    expect(closestName("time", ["eventTime", "page"])).toBeUndefined();
    expect(closestName("m", ["t", "n"])).toBeUndefined();
    expect(closestName("x", [])).toBeUndefined();
  });
});
