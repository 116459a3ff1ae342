import { describe, expect, it } from "vitest";
import { superseded } from "../../lib/checkpoint/superseded.js";
import type { StreamingQueryListener } from "../../lib/runtime/listener.js";
import { delivery, harness } from "./support/harness.js";
import { windowedCount } from "./support/windowed-count.js";

const START = "1970-01-01T00:16:40.000Z";

function listening(more: readonly StreamingQueryListener[] = []) {
  const heard: unknown[][] = [];
  const errors: unknown[] = [];
  const listener: StreamingQueryListener = {
    onQueryStarted: (event) => heard.push(["started", event]),
    onQueryProgress: ({ progress }) => heard.push(["progress", progress.batchId]),
    onQueryIdle: ({ watermark, heldBackBy, watermarks }) => heard.push(["idle", watermark, heldBackBy, watermarks]),
    onQueryTerminated: (event) => heard.push(["terminated", event]),
  };
  const h = harness({
    physical: () => windowedCount({ sizeMs: 1_000, delayMs: 100 }),
    ports: { listeners: [...more, listener], onListenerError: (error) => errors.push(error) },
  });
  return { ...h, heard, errors };
}

describe("listeners of a query", () => {
  it("hear its start, each commit, a tick with nothing to do, and its end", async () => {
    const { query, heard } = listening();
    const event = { id: "id", runId: "run", name: "q", timestamp: START };
    await query.processBatch([delivery("a", 1, [100, 1_200])]);
    await query.tick();
    await query.drain();
    expect(heard).toEqual([
      ["started", event],
      ["progress", 1],
      [
        "idle",
        "1970-01-01T00:00:01.100Z",
        null,
        [
          {
            source: "input",
            delayMs: 100,
            probed: false,
            watermark: "1970-01-01T00:00:01.100Z",
            readThrough: null,
            shards: { a: { watermark: "1970-01-01T00:00:01.100Z", readThrough: null } },
          },
        ],
      ],
      ["progress", 2],
      ["terminated", { ...event, exception: null, errorClass: null }],
    ]);
    expect(await query.drain()).toBeNull();
    expect(heard).toHaveLength(5);
  });

  it("are kept apart: one that throws keeps nothing from the next, nor from the query", async () => {
    const failing: StreamingQueryListener = {
      onQueryProgress() {
        throw new Error("full disk");
      },
    };
    const { query, heard, errors } = listening([failing]);
    expect((await query.processBatch([delivery("a", 1, [100])])).progress).toMatchObject({ batchId: 1 });
    expect(heard.map(([name]) => name)).toEqual(["started", "progress"]);
    expect(errors).toMatchObject([{ message: "full disk" }]);
  });

  it("hear the end of code that a newer version has superseded", async () => {
    const { query, partition, heard } = listening();
    partition.commit = async () => {
      throw superseded("q", 1);
    };
    await expect(query.processBatch([delivery("a", 1, [100])])).rejects.toMatchObject({ code: "superseded" });
    expect(heard.at(-1)).toMatchObject(["terminated", { errorClass: "superseded" }]);
  });
});
