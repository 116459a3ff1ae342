import { expect, test } from "vitest";
import { col, concat, contains, endsWith, regexpLike, startsWith, substring, trim } from "../../lib/index.js";

const page = { kind: "column", name: "page" };
const text = (value: string) => ({ kind: "literal", value, type: "string" });
const int = (value: number) => ({ kind: "literal", value, type: "int" });

test("tests of text take the text first, then the part", () => {
  const tests = [contains, startsWith, endsWith, regexpLike].map((test) => test(col("page"), "/a").expression);
  expect(tests).toEqual(
    ["contains", "startsWith", "endsWith", "regexpLike"].map((fn) => ({ kind: "call", fn, args: [page, text("/a")] })),
  );
});

test("text is put together from columns and constants, and cut by position and length", () => {
  expect(concat(col("page"), "#", 1).expression).toMatchObject({ fn: "concat", args: [page, text("#"), int(1)] });
  expect(substring(col("page"), -3, 2).expression).toMatchObject({ fn: "substring", args: [page, int(-3), int(2)] });
  expect(trim(col("page")).expression).toMatchObject({ fn: "trim", args: [page] });
});
