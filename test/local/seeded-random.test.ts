import { expect, test } from "vitest";
import { seededRandom } from "../../lib/local/seeded-random.js";

const draw = (seed: number, count: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, random);
};

test("the same seed draws the same numbers, another seed others", () => {
  expect(draw(1, 5)).toEqual(draw(1, 5));
  expect(draw(1, 5)).not.toEqual(draw(2, 5));
});

test("numbers lie in [0, 1) and spread evenly", () => {
  const numbers = draw(3, 20_000);
  expect(numbers.every((n) => n >= 0 && n < 1)).toBe(true);
  const tenths = new Map<number, number>();
  for (const n of numbers) tenths.set(Math.floor(n * 10), (tenths.get(Math.floor(n * 10)) ?? 0) + 1);
  for (let tenth = 0; tenth < 10; tenth++) expect(Math.abs(tenths.get(tenth)! - 2000)).toBeLessThan(200);
});
