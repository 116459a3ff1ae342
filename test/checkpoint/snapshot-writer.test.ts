import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StagedState } from "../../lib/checkpoint/state-partition.js";
import { AT, contents, draft, groups, never, sides, step, testWorld } from "./test-world.js";

const HOUR = 3_600_000_000;

type Op =
  | { readonly kind: "put" | "move"; readonly key: string; readonly hour: number | null; readonly value: number }
  | { readonly kind: "remove"; readonly key: string; readonly hour: number | null }
  | { readonly kind: "expire"; readonly hour: number };

const key = fc.constantFrom("p0\u0000a", "p0\u0000b", "p1\u0000a", "p1\u0000c");
/** Halves of hours: two expiries share a bucket. */
const hour = fc.constantFrom(null, 0, 0.5, 1, 1.5, 2, 7);
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("put" as const, "move" as const), key, hour, value: fc.nat() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), key, hour }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("expire" as const), hour: fc.constantFrom(0, 0.7, 1, 3) }) },
);

function apply(staged: StagedState, step: Op) {
  const byExpiry = staged.table(groups);
  const byKey = staged.table(sides);
  const expiry = step.hour === null ? null : step.hour * HOUR;
  if (step.kind === "put") byExpiry.put(step.key, [step.value], expiry);
  else if (step.kind === "move") byKey.put(step.key, { v: step.value }, expiry);
  else if (step.kind === "remove") {
    byExpiry.remove(step.key, expiry);
    byKey.remove(step.key);
  } else {
    byExpiry.expireThrough(expiry!);
    byKey.expireThrough(expiry!);
  }
}

describe("a snapshot", () => {
  it.each([
    { ringSize: 1, inlineLimitBytes: 0 },
    { ringSize: 4, inlineLimitBytes: 0 },
    { ringSize: 6, inlineLimitBytes: 600 },
  ])(
    "gives back any history of changes, rows in the same order: R = $ringSize, inline $inlineLimitBytes",
    async (options) => {
      const batches = fc.array(fc.array(op, { maxLength: 6 }), { minLength: 1, maxLength: 24 });
      await fc.assert(
        fc.asyncProperty(batches, async (history) => {
          const world = testWorld(options);
          const warm = world.open();
          for (const [i, ops] of history.entries()) {
            await warm.load();
            const staged = warm.stage();
            for (const step of ops) apply(staged, step);
            expect(await warm.commit(draft(i + 1), staged, world.publisher)).toBe("committed");
            await warm.publish(world.publisher, never);
          }
          const cold = world.open();
          await cold.load();
          expect(contents(cold)).toEqual(contents(warm));
          expect(cold.stage().stateBytes).toBe(warm.stage().stateBytes);
        }),
        { numRuns: 100 },
      );
    },
  );
});

describe("deltas since the last snapshot (TRIALS-2 E2)", () => {
  it("are kept by key where they are objects, and a snapshot comes early by their bytes", async () => {
    const requests: string[] = [];
    const world = testWorld({ inlineLimitBytes: 0, maxRecentBytes: 700, ringSize: 64 });
    const objects = {
      ...world.objects,
      get(key: string) {
        requests.push(key.split("/").at(-1)!.split("-")[0]!);
        return world.objects.get(key);
      },
    };
    const partition = world.open({ objects });
    const versions: number[] = [];
    for (let n = 1; n <= 40; n++) {
      await step(partition, world.publisher, n);
      versions.push((await world.log.readPointer(AT))?.batchId ?? 0);
    }
    // By count alone there is none before the ring laps.
    expect(new Set(versions).size).toBeGreaterThan(3);
    expect(requests.filter((kind) => kind === "delta").length).toBeGreaterThan(10);
    const cold = world.open();
    await cold.load();
    expect(contents(cold)).toEqual(contents(partition));
  });
});
