import { expect, it } from "vitest";
import { NumberList } from "../../lib/lateness/number-list.js";
import { quantilesOf } from "../../lib/lateness/quantiles.js";

it("are values that occur, by nearest rank", () => {
  const list = new NumberList();
  for (let value = 3000; value >= 1; value--) list.push(value);
  expect(list.length).toBe(3000);
  expect(quantilesOf(list.sorted())).toEqual({ p50: 1500, p90: 2700, p95: 2850, p99: 2970, p999: 2997, max: 3000 });
  expect(quantilesOf(new Float64Array())).toBeNull();
});
