import { expect, it } from "vitest";
import { within } from "../../lib/sources/decode-limits.js";

it("within counts objects and arrays, and not what they hold", () => {
  expect(within(5, 0)).toBe(true);
  expect(within([], 0)).toBe(false);
  expect(within([{ a: 1 }], 2)).toBe(true);
  expect(within([{ a: {} }], 2)).toBe(false);
});

it("within looks no deeper than it must", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level++) deep = [deep];
  expect(within(deep, 64)).toBe(false);
});
