import { describe, expect, it } from "vitest";
import type { Publisher, StatePartition } from "../../lib/checkpoint/state-partition.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";
import { publishAndReport, publisherOf, publishPending } from "../../lib/runtime/publish-pending.js";
import type { QueryRuntime } from "../../lib/runtime/query-runtime.js";
import { stopwatch } from "../../lib/runtime/stopwatch.js";
import type { OutputName, Sink } from "../../lib/sinks/sink.js";

const identity = { query: "q", incarnation: "1", partition: 0, batchId: 1 };
const part = (output: OutputName, text: string) => ({ output, sink: "memory", bytes: new TextEncoder().encode(text) });

/** Sinks that write down what reaches them. */
function world(publish: (publisher: Publisher, deadlineReached: () => boolean) => Promise<void>) {
  const calls: string[] = [];
  const reported: QueryProgress[] = [];
  const sinkOf = (name: OutputName): Sink => ({
    kind: "memory",
    stage: () => [],
    publish: async (_, parts) => void calls.push(`${name}: ${parts.length}`),
  });
  const clock = { time: 0, now: () => clock.time };
  const ports = {
    clock,
    sinks: { result: sinkOf("result"), late: sinkOf("late"), malformed: sinkOf("malformed") },
    onProgress: (progress: QueryProgress) => void reported.push(progress),
  };
  const partition = { publish } as unknown as StatePartition;
  return { calls, reported, clock, partition, runtime: { ports } as unknown as QueryRuntime };
}

describe("publishing", () => {
  it("gives a step to the sink of its output", async () => {
    const { runtime, calls } = world(async () => {});
    await publisherOf(runtime.ports)(identity, [part("late", "a")]);
    await publisherOf(runtime.ports)(identity, [part("result", "b"), part("result", "c")]);
    expect(calls).toEqual(["late: 1", "result: 2"]);
  });

  it("keeps half of the reserve for the answer", async () => {
    const seen: boolean[] = [];
    const { runtime, partition, clock } = world(async (_, deadlineReached) => {
      for (const time of [8_999, 9_000]) {
        clock.time = time;
        seen.push(deadlineReached());
      }
    });
    await publishPending(runtime, partition, { at: 10_000, reserveMs: 2_000 });
    expect(seen).toEqual([false, true]);
  });
});

describe("the report of a committed batch", () => {
  const progress = { batchId: 1 } as QueryProgress;

  it("is made once, with the time that publication took", async () => {
    const { runtime, partition, reported, clock } = world(async () => {
      clock.time += 7;
    });
    const watch = stopwatch(clock);
    expect(await publishAndReport(runtime, partition, null, watch, progress)).toMatchObject({
      durationMs: { publish: 7 },
    });
    expect(reported).toHaveLength(1);
  });

  it("is made although a sink fails, and the failure goes on", async () => {
    const { runtime, partition, reported, clock } = world(async () => {
      throw new Error("bucket is gone");
    });
    await expect(publishAndReport(runtime, partition, null, stopwatch(clock), progress)).rejects.toThrow(
      "bucket is gone",
    );
    expect(reported).toMatchObject([{ batchId: 1 }]);
  });
});
