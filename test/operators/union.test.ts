import { expect, it } from "vitest";
import { NO_ROWS } from "../../lib/operators/operator.js";
import { unionOperator } from "../../lib/operators/union.js";

it("passes both inputs on as they come and keeps nothing", () => {
  const operator = unionOperator();
  const chunk = { rows: [{ n: 1 }], origin: [{ source: 1, record: 0 }] };
  expect([0, 1].map((input) => operator.process(chunk, input))).toEqual([chunk, chunk]);
  expect(operator.endPass()).toBe(NO_ROWS);
});
