import { describe, expect, it } from "vitest";
import { userError } from "../../lib/errors.js";
import { callFunction, callRowsFunction } from "../../lib/planner/user-function.js";
import { definitionOf, source } from "./plans.js";

const calling = (functions: Record<string, unknown>) =>
  callFunction({ definition: definitionOf(source(), { functions }), staticRows: () => [] }, "f");
const callingForRows = (f: unknown) =>
  callRowsFunction({ definition: definitionOf(source(), { functions: { f } }), staticRows: () => [] }, "f");
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

describe("a row function that gives rows", () => {
  it("gives them all", () => {
    const twice = ({ n }: { n: number }) => [{ n }, { n: n + 1 }];
    expect(callingForRows(twice)({ n: 1 })).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("that throws between two of them is the query's fault, and gives none", () => {
    const cause = new Error("no page");
    const half = function* () {
      yield { n: 1 };
      throw cause;
    };
    expect(() => callingForRows(half)({})).toThrow(
      expect.objectContaining({ code: "user-function", domain: "user", cause }),
    );
    expect(() => callingForRows(() => null)({})).toThrow("user-function");
  });
});
