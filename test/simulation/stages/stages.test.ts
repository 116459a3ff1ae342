import { expect, it } from "vitest";
import { simulateStages } from "./simulate-stages.js";

it("sixty worlds of two stages break no law, and the same seed plays the same world", async () => {
  let rows = 0;
  for (let seed = 0; seed < 60; seed++) {
    const result = await simulateStages(seed);
    expect(result.violation?.message ?? null).toBeNull();
    rows += result.rows;
  }
  expect(rows).toBeGreaterThan(1_500);
  const [first, again] = [await simulateStages(7), await simulateStages(7)];
  expect(again.decisions).toEqual(first.decisions);
});
