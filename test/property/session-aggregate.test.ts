import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aggregator } from "../../lib/operators/aggregates/aggregator.js";
import { keyColumns } from "../../lib/operators/key-columns.js";
import { sessionAggregate } from "../../lib/operators/session-aggregate.js";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { onRow } from "../operators/batches.js";
import { operatorStream } from "../operators/operator-stream.js";

const INPUT: Schema = {
  fields: [
    { name: "user", type: "string", nullable: true },
    { name: "ts", type: "timestamp", nullable: true },
    { name: "gap", type: "long", nullable: true },
    { name: "value", type: "long", nullable: true },
  ],
};
const JITTER = 20;

const sessions = () =>
  operatorStream(
    [
      sessionAggregate({
        operatorId: "sessions",
        keys: keyColumns([INPUT.fields[0]!]),
        column: { name: "ts", type: "timestamp" },
        watermarked: true,
        gap: onRow((row) => (row["gap"] as number) * 1000),
        as: "session",
        aggregates: aggregator(
          [
            { as: "n", fn: "count", type: "long" },
            { as: "sum", fn: "sum", value: { kind: "column", name: "value" }, type: "long" },
          ],
          INPUT,
        ),
        outputMode: "append",
        lateRule: "state",
      }),
    ],
    // A row exactly at the watermark is not late, yet finds a session that ended there closed: hence one more.
    { delayMs: JITTER + 1, timeOf: (row) => row["ts"] as number },
  );

/** The rows of one key that reach each other, by plain loops. */
function bruteForce(rows: readonly Row[]): string[] {
  const groups = rows.map((row) => {
    const ts = row["ts"] as number;
    return { user: row["user"], start: ts, end: ts + (row["gap"] as number), n: 1, sum: row["value"] as number };
  });
  for (let merged = true; merged; ) {
    merged = false;
    for (let a = 0; a < groups.length; a++) {
      for (let b = groups.length - 1; b > a; b--) {
        const [left, right] = [groups[a]!, groups[b]!];
        if (left.user !== right.user || left.start > right.end || right.start > left.end) continue;
        left.start = Math.min(left.start, right.start);
        left.end = Math.max(left.end, right.end);
        left.n += right.n;
        left.sum += right.sum;
        groups.splice(b, 1);
        merged = true;
      }
    }
  }
  return groups.map(({ user, start, end, n, sum }) => JSON.stringify([user, start, end, n, sum])).sort();
}

const asText = (row: Row): string => {
  const { start, end } = row["session"] as { start: number; end: number };
  return JSON.stringify([row["user"], start, end, row["n"], row["sum"]]);
};

/** Rows that lag behind the newest by no more than the jitter, cut into batches. */
const batches = fc.array(
  fc.array(
    fc.record({
      step: fc.integer({ min: 0, max: 30 }),
      lag: fc.integer({ min: 0, max: JITTER }),
      user: fc.constantFrom("a", "b", null),
      gap: fc.integer({ min: 1, max: 40 }),
      value: fc.integer({ min: -5, max: 5 }),
    }),
    { maxLength: 6 },
  ),
  { maxLength: 12 },
);

describe("session windows", () => {
  it("are those of a brute-force search over all rows, however on-time rows are cut into batches", () => {
    fc.assert(
      fc.property(batches, (cut) => {
        const stream = sessions();
        const rows: Row[] = [];
        const emitted: Row[] = [];
        let newest = 0;
        for (const batch of cut) {
          const input = batch.map(({ step, lag, user, gap, value }) => {
            newest += step;
            return { user, ts: newest - lag, gap, value };
          });
          rows.push(...input);
          emitted.push(...stream.add(input).output);
        }
        emitted.push(...stream.add([{ user: "end", ts: newest + 10_000, gap: 1, value: 0 }]).output);
        expect(emitted.map(asText).sort()).toEqual(bruteForce(rows));
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
