import { expect, test } from "vitest";
import { limitNode } from "../../../lib/plan/nodes/nodes.js";
import { codeOf, events } from "../plans.js";

test("a limit is a whole number of zero or more", () => {
  expect(limitNode(events, 0).n).toBe(0);
  expect([-1, 1.5, Number.NaN].map((n) => codeOf(() => limitNode(events, n)))).toEqual(
    Array.from({ length: 3 }, () => "limit-negative"),
  );
});
