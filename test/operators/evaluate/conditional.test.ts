import { describe, expect, it } from "vitest";
import { compileExpression } from "../../../lib/operators/evaluate/evaluate.js";
import { applied, call, col, lit, schema } from "./expressions.js";

describe("conditionals", () => {
  it("coalesce takes the first that is not NULL", () => {
    expect(
      applied("coalesce", [
        [null, "long"],
        [2, "long"],
        [3, "long"],
      ]),
    ).toBe(2);
    expect(
      applied("coalesce", [
        [null, "long"],
        [null, "long"],
      ]),
    ).toBeNull();
  });

  it("isIn is unknown if it does not match and a candidate is NULL", () => {
    expect(
      applied("isIn", [
        [1, "long"],
        [2, "long"],
        [null, "long"],
      ]),
    ).toBeNull();
    expect(
      applied("isIn", [
        [1, "long"],
        [1, "long"],
        [null, "long"],
      ]),
    ).toBe(true);
    expect(
      applied("isIn", [
        [1, "long"],
        [2, "long"],
      ]),
    ).toBe(false);
    expect(
      applied("isIn", [
        [null, "long"],
        [2, "long"],
      ]),
    ).toBeNull();
  });

  it("caseWhen takes the first true condition, then the rest, then NULL", () => {
    const text = (a: number, otherwise: boolean) =>
      compileExpression(
        call("caseWhen", [
          call("lt", [col("a"), lit(0, "long")]),
          lit("negative", "string"),
          call("eq", [col("a"), lit(0, "long")]),
          lit("zero", "string"),
          ...(otherwise ? [lit("positive", "string")] : []),
        ]),
        schema({ a: "long" }),
      )({ a });
    expect([-1, 0, 1].map((a) => text(a, true))).toEqual(["negative", "zero", "positive"]);
    expect(text(1, false)).toBeNull();
  });
});
