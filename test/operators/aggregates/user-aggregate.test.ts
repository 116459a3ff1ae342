import { describe, expect, it } from "vitest";
import { add } from "../batches.js";
import { aggregateOf, resultOf, values } from "./grouping.js";

const longest = {
  init: () => ({ text: "" }),
  add: (best: { text: string }, value: string | null) => {
    if (value !== null && value.length > best.text.length) best.text = value;
    return best;
  },
  merge: (a: { text: string }, b: { text: string }) => (b.text.length > a.text.length ? b : a),
  finish: (best: { text: string }) => best.text,
};

const options = { function: "longest" };

describe("a user aggregate", () => {
  it("folds, merges and finishes as the user says, NULLs included", () => {
    expect(resultOf(aggregateOf({ fn: "user", options }, "string", { longest }), values("a", null, "ccc", "bb"))).toBe(
      "ccc",
    );
  });

  it("may change its accumulator in place without touching what is stored", () => {
    const group = aggregateOf({ fn: "user", options }, "string", { longest });
    const sealed = group.create();
    add(group, sealed, { v: "a" });
    group.seal(sealed);
    add(group, group.open(sealed), { v: "longer" });
    expect(sealed).toEqual([{ text: "a" }]);
  });

  it("is refused if a function is missing", () => {
    expect(() => aggregateOf({ fn: "user", options }, "string", { longest: { init: () => 0 } })).toThrow(
      "user-aggregate",
    );
  });
});
