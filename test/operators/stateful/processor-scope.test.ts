import { expect, it } from "vitest";
import { currentKey, processorScope, scopedTable, ttlExpiry } from "../../../lib/operators/stateful/processor-scope.js";
import { scopeFor } from "./scope-for.js";

const table = { operatorId: "op", table: "t", locate: "key" } as const;

it("gives state to the call for a key, and to nobody outside it", () => {
  const { scope } = scopeFor("ann");
  scopedTable<number>(scope, table).put("ann", 1, null);
  expect(scopedTable<number>(scope, table).get("ann")).toBe(1);
  scope.key = null;
  expect(() => scopedTable(scope, table)).toThrow("state-outside-call");
  expect(() => currentKey(processorScope())).toThrow("state-outside-call");
});

it("counts a time to live from the pass's processing time, in microseconds", () => {
  const { scope } = scopeFor("ann");
  scope.pass = { ...scope.pass!, processingTime: 1_000.5 };
  expect([ttlExpiry(scope, 10), ttlExpiry(scope, null)]).toEqual([1_010_500, null]);
});
