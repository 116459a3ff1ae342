import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deduplicate } from "../../lib/operators/deduplicate.js";
import { keyColumns } from "../../lib/operators/key-columns.js";
import type { Field, Row } from "../../lib/plan/schema.js";
import { operatorStream } from "../operators/operator-stream.js";

const ID: Field = { name: "id", type: "long", nullable: true };
const TS: Field = { name: "ts", type: "timestamp", nullable: true };
const DELAY = 20;

const batches = fc.array(
  fc.array(
    fc.record({
      step: fc.integer({ min: 0, max: 15 }),
      lag: fc.integer({ min: 0, max: DELAY * 2 }),
      id: fc.option(fc.integer({ min: 0, max: 3 })),
    }),
    { maxLength: 6 },
  ),
  { maxLength: 12 },
);

/** Runs the batches and, row by row, an oracle that keeps whole rows; `remembers` says how long the oracle knows a key. */
function compare(
  within: boolean,
  keyOf: (row: Row) => string,
  expiryOf: (row: Row) => number,
  cut: readonly (readonly { step: number; lag: number; id: number | null }[])[],
): void {
  const keys = keyColumns(within ? [ID] : [ID, TS]);
  const eventTime = { name: "ts", type: "timestamp" } as const;
  const operator = deduplicate({ operatorId: "dedup", keys, eventTime, withinDelayMs: within ? DELAY : null });
  const stream = operatorStream([operator], { delayMs: DELAY, timeOf: (row) => row["ts"] as number });
  let known: { key: string; expiry: number }[] = [];
  let newest = 0;
  let watermark = Number.NEGATIVE_INFINITY;
  for (const batch of cut) {
    const input = batch.map(({ step, lag, id }) => {
      newest += step;
      return { id, ts: newest - lag };
    });
    const expected: Row[] = [];
    for (const row of input) {
      if (row.ts <= watermark || known.some(({ key }) => key === keyOf(row))) continue;
      known.push({ key: keyOf(row), expiry: expiryOf(row) });
      expected.push(row);
    }
    expect(stream.add(input).output).toEqual(expected);
    for (const row of input) watermark = Math.max(watermark, row.ts - DELAY);
    known = known.filter(({ expiry }) => expiry > watermark);
  }
}

describe("deduplication", () => {
  it("within the watermark agrees with a list of all keys that are not yet forgotten", () => {
    const keyOf = (row: Row) => String(row["id"]);
    const expiryOf = (row: Row) => (row["ts"] as number) + DELAY;
    fc.assert(
      fc.property(batches, (cut) => compare(true, keyOf, expiryOf, cut)),
      { numRuns: 300, seed: 1 },
    );
  });

  it("by event time never lets a row pass twice, although it forgets keys that are late", () => {
    const keyOf = (row: Row) => `${row["id"]}@${row["ts"]}`;
    fc.assert(
      fc.property(batches, (cut) => compare(false, keyOf, () => Number.POSITIVE_INFINITY, cut)),
      { numRuns: 300, seed: 1 },
    );
  });
});
