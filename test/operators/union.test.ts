import { expect, it } from "vitest";
import { unionOperator } from "../../lib/operators/union.js";
import { placed } from "./batches.js";

it("passes both inputs on as they come and keeps nothing", () => {
  const operator = unionOperator();
  const batch = placed([{ n: 1 }]);
  expect([0, 1].map((input) => operator.process(batch, input))).toEqual([batch, batch]);
  expect([...operator.endPass()]).toEqual([]);
});
