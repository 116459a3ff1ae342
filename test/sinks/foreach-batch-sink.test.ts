import { describe, expect, it } from "vitest";
import { userError } from "../../lib/errors.js";
import type { Row } from "../../lib/plan/schema.js";
import { foreachBatchSink } from "../../lib/sinks/foreach-batch-sink.js";
import { identityOf, outputBatch, sinkContract } from "../contract/sink.js";

const open = () => {
  const byBatch = new Map<number, readonly Row[]>();
  const sink = foreachBatchSink((rows, { batchId }) => {
    byBatch.set(batchId, rows);
  });
  return { sink, world: () => [...byBatch].sort(([a], [b]) => a - b) };
};

sinkContract("foreachBatch, its function idempotent by batch id,", { open });

describe("foreachBatchSink", () => {
  it("hands over the rows as they were, once per publish, with the identity", async () => {
    const calls: unknown[] = [];
    const sink = foreachBatchSink(async (rows, identity) => {
      calls.push([rows, identity]);
    });
    const rows = [{ id: "a", views: 2n ** 60n, eventTime: 0.001, ratio: Number.NaN, tags: new Date(0) }];
    const parts = sink.stage(outputBatch(rows));
    await sink.publish(identityOf(1), [...parts, ...parts]);
    expect(calls).toEqual([[[...rows, ...rows], identityOf(1)]]);
    await sink.publish(identityOf(2), []);
    expect(calls).toHaveLength(1);
  });

  it("lets a failure be tried again, unless it says otherwise", async () => {
    const failing = (error: Error) =>
      foreachBatchSink(() => {
        throw error;
      });
    const parts = failing(new Error()).stage(outputBatch([{ id: "a" }]));
    await expect(failing(new Error("down")).publish(identityOf(1), parts)).rejects.toMatchObject({
      code: "foreach-batch-failed",
      retry: true,
    });
    const refusal = userError("no-such-tenant", "There is no such tenant.", "Create it.");
    await expect(failing(refusal).publish(identityOf(1), parts)).rejects.toBe(refusal);
  });
});
