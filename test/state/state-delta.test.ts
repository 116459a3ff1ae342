import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyStateDelta, emptyState } from "../../lib/state/committed-state.js";
import { stageState } from "../../lib/state/staged-state.js";
import { composeDelta, emptyDelta, type StateDelta, type TableDelta } from "../../lib/state/state-delta.js";
import type { TableSpec } from "../../lib/state/state-store.js";

const specs: readonly TableSpec[] = [
  { operatorId: "o", table: "expiry", locate: "expiry" },
  { operatorId: "o", table: "key", locate: "key", prefixed: true },
];
const step = fc.record({
  kind: fc.constantFrom("put", "put", "put", "remove", "expire"),
  key: fc.constantFrom("a", "b", "c"),
  expiry: fc.constantFrom(null, 1, 2, 3),
  value: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function stage(state: ReturnType<typeof emptyState>, steps: readonly Step[]): StateDelta {
  const staged = stageState(state);
  for (const spec of specs) {
    const table = staged.table(spec);
    for (const { kind, key, expiry, value } of steps) {
      if (kind === "put") table.put(key, value, expiry);
      else if (kind === "remove") table.remove(key, expiry);
      else table.expireThrough(expiry ?? 0);
    }
  }
  return staged.delta();
}

const rows = (state: ReturnType<typeof emptyState>) => specs.map((spec) => [...stageState(state).table(spec).rows()]);

describe("the net change of a stretch of batches", () => {
  it("does to the state what the batches did one by one, order of rows included", () => {
    fc.assert(
      fc.property(fc.array(step), fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 6 }), (first, batches) => {
        const oneByOne = emptyState(specs);
        const atOnce = emptyState(specs);
        applyStateDelta(oneByOne, stage(oneByOne, first));
        applyStateDelta(atOnce, stage(atOnce, first));
        const net = new Map<string, TableDelta>();
        for (const steps of batches) {
          const delta = stage(oneByOne, steps);
          for (const [id, table] of delta) {
            if (!net.has(id)) net.set(id, emptyDelta());
            composeDelta(net.get(id)!, table);
          }
          applyStateDelta(oneByOne, delta);
        }
        applyStateDelta(atOnce, net);
        expect(rows(atOnce)).toEqual(rows(oneByOne));
        expect(atOnce.bytes).toBe(oneByOne.bytes);
      }),
      { numRuns: 500 },
    );
  });

  it("is refused where it names a table that the query does not declare", () => {
    const delta = new Map([["gone/table", emptyDelta()]]);
    expect(() => applyStateDelta(emptyState(specs), delta)).toThrow("unknown-table");
  });
});
