import { describe, expect, it } from "vitest";
import { binary, type Call, type CallScope, unary } from "../../../lib/operators/evaluate/apply.js";

const scope: CallScope = {
  compile: (argument) => (row) => (argument.kind === "column" ? (row[argument.name] ?? null) : null),
  typeOf: () => "long",
};
const call: Call = {
  kind: "call",
  fn: "add",
  args: [
    { kind: "column", name: "a" },
    { kind: "column", name: "b" },
  ],
};

describe("a function of values", () => {
  it("is NULL of NULL, and is not called then", () => {
    const asked: unknown[] = [];
    const evaluate = unary(call, scope, (value: number) => {
      asked.push(value);
      return -value;
    });
    expect([evaluate({ a: 2 }), evaluate({ a: null })]).toEqual([-2, null]);
    expect(asked).toEqual([2]);
  });

  it("is NULL if either of two is", () => {
    const evaluate = binary(call, scope, (a: number, b: number) => a * 10 + b);
    expect([evaluate({ a: 1, b: 2 }), evaluate({ a: null, b: 2 }), evaluate({ a: 1, b: null })]).toEqual([
      12,
      null,
      null,
    ]);
  });
});
