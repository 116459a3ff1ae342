import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Figure } from "../../bench/figure.js";
import { bundleToTemporaryFile } from "../../lib/cli/bundle.js";
import { applyStateDelta, emptyState } from "../../lib/state/committed-state.js";
import { stageState } from "../../lib/state/staged-state.js";
import type { TableSpec } from "../../lib/state/state-store.js";
import { rowBytes, valueBytes } from "../../lib/state/value-bytes.js";

describe("the estimate of state bytes", () => {
  it("stays within the budget of 170 bytes for count and sum under a short key", () => {
    expect(rowBytes({ locate: "expiry" }, "/page/123456", [17, 123_456], 0)).toBeLessThanOrEqual(170);
  });

  it("grows with what a value holds, at any depth", () => {
    expect(valueBytes({ list: ["x".repeat(1000)] })).toBeGreaterThan(1000);
    expect(valueBytes("ł".repeat(1000))).toBeGreaterThan(2000);
    expect(valueBytes(new Uint8Array(500))).toBeGreaterThanOrEqual(500);
    expect(valueBytes([[1], [2], [3]])).toBeGreaterThan(valueBytes([[1]]));
    expect(valueBytes(null)).toBe(valueBytes(true));
  });

  it("is what the rows make of it, whatever came and went before", () => {
    const key = fc
      .tuple(fc.constantFrom("a", "b", "c"), fc.nat({ max: 4 }))
      .map(([prefix, n]) => `${prefix}\u0000${n}`);
    const change = fc.record({
      key,
      expiry: fc.constantFrom(null, 60_000_000, 120_000_000, 7_000_000_000),
      value: fc.option(fc.oneof(fc.double(), fc.string(), fc.array(fc.nat())), { nil: undefined }),
      expire: fc.option(fc.constantFrom(60_000_000, 130_000_000), { nil: null, freq: 6 }),
    });
    for (const spec of [
      { operatorId: "o", table: "t", locate: "expiry" },
      { operatorId: "o", table: "t", locate: "key", prefixed: true },
    ] as const satisfies readonly TableSpec[])
      fc.assert(
        fc.property(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 }), (batches) => {
          const state = emptyState([spec]);
          for (const batch of batches) {
            const staged = stageState(state);
            const store = staged.table(spec);
            for (const { key: at, expiry, value, expire } of batch) {
              if (expire !== null) store.expireThrough(expire);
              if (value === undefined) store.remove(at, expiry);
              else store.put(at, value, expiry);
            }
            const foretold = staged.stateBytes;
            applyStateDelta(state, staged.delta());
            expect(state.bytes).toBe(foretold);
          }
          const anew = emptyState([spec]);
          const staged = stageState(anew);
          for (const row of stageState(state).table(spec).rows())
            staged.table(spec).put(row.key, row.value, row.expiry);
          applyStateDelta(anew, staged.delta());
          expect(state.bytes).toBe(anew.bytes);
        }),
        { numRuns: 150 },
      );
  });

  it("TRIALS-2 E3: is within a fifth of the real heap, for the state of every operator", {
    timeout: 60_000,
  }, async () => {
    const { file, remove } = await bundleToTemporaryFile(new URL("../../bench/measured.ts", import.meta.url).pathname);
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", file, "state-heap"]);
      const ratios = (JSON.parse(stdout) as readonly Figure[]).filter(({ name }) => name.includes("heap by estimate"));
      expect(ratios).toHaveLength(8);
      for (const { name, value } of ratios) {
        expect(value, name).toBeGreaterThan(1 / 1.2);
        expect(value, name).toBeLessThan(1.2);
      }
    } finally {
      await remove();
    }
  });
});
