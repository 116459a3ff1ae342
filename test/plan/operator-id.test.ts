import { expect, test } from "vitest";
import { isImplicitId, operatorId } from "../../lib/plan/operator-id.js";
import { codeOf } from "./plans.js";

test("an implicit id is the kind and a hash that stands for ever", () => {
  expect(operatorId(undefined, "dedupe", ["user"])).toBe("dedupe:60785ef2");
  expect(operatorId(undefined, "dedupe", ["user", "ts"])).not.toBe(operatorId(undefined, "dedupe", ["userts"]));
  expect(isImplicitId("dedupe:60785ef2")).toBe(true);
});

test("an explicit id is taken as it is, and never looks implicit", () => {
  expect(operatorId("per-user.v2", "dedupe", [])).toBe("per-user.v2");
  expect(isImplicitId("per-user.v2")).toBe(false);
  for (const id of ["", "a:b", "1a", "a b", "a".repeat(65)]) {
    expect(codeOf(() => operatorId(id, "dedupe", []))).toBe("operator-id");
  }
});
