import { expect, test } from "vitest";
import { functionId } from "../../lib/api/function-ids.js";

test("one function has one id, whichever verb asks; two have two", () => {
  const keep = () => true;
  const id = functionId("filter", keep);
  expect(id).toMatch(/^filter-\d+$/);
  expect(functionId("map", keep)).toBe(id);
  expect(functionId("filter", () => true)).not.toBe(id);
});
