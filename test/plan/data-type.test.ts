import { expect, test } from "vitest";
import { commonType, typeText } from "../../lib/plan/data-type.js";

test("types are written as Spark writes them", () => {
  expect(typeText("long")).toBe("bigint");
  expect(typeText("window")).toBe("struct<start:timestamp,end:timestamp>");
  expect(typeText({ array: { struct: [{ name: "x", type: "double", nullable: true }] } })).toBe(
    "array<struct<x:double>>",
  );
});

test("the common type holds both, json holds all, and there may be none", () => {
  expect(commonType("int", "long")).toBe("long");
  expect(commonType("double", "long")).toBe("double");
  expect(commonType("json", "string")).toBe("json");
  expect(commonType("string", "long")).toBeNull();
  expect(commonType({ array: "int" }, { array: "int" })).toEqual({ array: "int" });
});
