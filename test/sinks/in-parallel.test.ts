import { expect, it } from "vitest";
import { inParallel } from "../../lib/sinks/in-parallel.js";

it("inParallel runs every item once, no more than its width at once", async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await inParallel([...Array(20).keys()], 4, async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    done.push(item);
  });
  expect(most).toBe(4);
  expect(done.sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
});

it("inParallel begins nothing after a failure, and throws it", async () => {
  const begun: number[] = [];
  const run = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error("second");
  };
  await expect(inParallel([0, 1, 2, 3, 4, 5, 6, 7], 2, run)).rejects.toThrow("second");
  expect(begun.length).toBeLessThan(6);
});
