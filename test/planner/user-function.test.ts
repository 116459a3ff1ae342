import { describe, expect, it } from "vitest";
import { userError } from "../../lib/errors.js";
import { callFunction } from "../../lib/planner/user-function.js";
import { definitionOf, source } from "./plans.js";

const calling = (functions: Record<string, unknown>) =>
  callFunction({ definition: definitionOf(source(), { functions }), staticRows: () => [] }, "f");
const failing = (error: unknown) => () => {
  throw error;
};

describe("a row function", () => {
  it("gets the row and gives what it returns", () => {
    expect(calling({ f: ({ n }: { n: number }) => n + 1 })({ n: 1 })).toBe(2);
  });

  it("that throws is the query's fault, with what it threw as the cause", () => {
    const cause = new Error("no page");
    expect(() => calling({ f: failing(cause) })({})).toThrow(
      expect.objectContaining({ code: "user-function", domain: "user", cause }),
    );
    expect(() => calling({ f: failing("no page") })({})).toThrow("threw: no page");
  });

  it("passes our own errors on as they are", () => {
    const ours = userError("cast-failed", "a", "b");
    expect(() => calling({ f: failing(ours) })({})).toThrow(ours);
  });

  it("must be there when the query is planned", () => {
    expect(() => calling({})).toThrow("function-missing");
  });
});
