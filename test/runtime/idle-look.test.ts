import { beforeEach, describe, expect, it } from "vitest";
import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import { columns, count, kinesis, long, memory, readStream, timestamp, window } from "../../lib/index.js";
import { engine, seconds, send } from "./support/engine.js";

const MINUTE = 60_000;

const { definition } = readStream(kinesis({ stream: "stream", schema: columns({ eventTime: timestamp(), n: long() }) }))
  .withWatermark("eventTime", "10 seconds")
  .groupBy(window("eventTime", "10 seconds"), "n")
  .agg({ rows: count() })
  .writeStream({ queryName: "idle", outputMode: "append", sink: memory() });

/** Over a store that tells which objects were fetched; everything that can be is one. */
function world() {
  const fetched: string[] = [];
  const store = memoryObjectStore(() => 0);
  const objects = {
    ...store,
    get: (key: string) => {
      fetched.push(key.replace(/^.*\/([a-z]+)-[^/]*$/, "$1"));
      return store.get(key);
    },
  };
  const of = { ...definition, options: { ...definition.options, inlineLimitBytes: 600 } };
  const log = memoryCheckpointLog(() => 0);
  return { fetched, ...engine(of, { listed: ["stream"], objects, log, generation: 1 }) };
}

describe("a tick in a cold environment", () => {
  let w: ReturnType<typeof world>;
  let sequence = 1;

  beforeEach(async () => {
    w = world();
    sequence = 1;
    w.lister.shards = [{ shard: "shard-0", parents: [], sequences: ["1"] }];
    const query = await w.start();
    // More batches than the ring holds: there is a snapshot, and it is large.
    for (let batch = 0; batch < 70; batch++) {
      const rows = Array.from({ length: 40 }, (_, n) => ({ eventTime: seconds(batch), n: batch * 40 + n }));
      w.lister.shards = [{ shard: "shard-0", parents: [], sequences: [String(sequence + rows.length - 1)] }];
      await query.processBatch([send(sequence, rows, { source: "stream", arrival: w.clock.time })]);
      sequence += rows.length;
      w.clock.time += 1;
    }
    w.fetched.length = 0;
  });

  it("fetches no state while nothing is due", async () => {
    const commits = w.progress.length;
    for (let ticks = 0; ticks < 3; ticks++) {
      w.clock.time += MINUTE;
      expect(await (await w.start()).tick()).toBeNull();
    }
    expect(w.fetched.filter((kind) => kind !== "manifest")).toEqual([]);
    expect(w.progress).toHaveLength(commits);
  });

  it("loads it when there are new shards, and when the watermark moves on", async () => {
    w.lister.shards = [...w.lister.shards, { shard: "shard-1", parents: [], sequences: ["1"] }];
    w.clock.time += MINUTE;
    const listed = await (await w.start()).tick();
    expect(listed).toMatchObject({ coldStart: true, heldBackBy: "stream/shard-1" });
    expect(w.fetched).toContain("delta");

    // Rows far ahead are held by the new shard, until a tick finds it empty.
    const ahead = [{ eventTime: seconds(900), n: 0 }];
    w.lister.shards = [
      { shard: "shard-0", parents: [], sequences: [String(sequence)] },
      { shard: "shard-1", parents: [], sequences: ["1"] },
    ];
    const before = w.sink.rows().length;
    await (await w.start()).processBatch([send(sequence, ahead, { source: "stream", arrival: w.clock.time })]);
    expect(w.sink.rows()).toHaveLength(before);
    w.lister.shards = w.lister.shards.map((shard) => (shard.shard === "shard-1" ? { ...shard, sequences: [] } : shard));
    w.clock.time += MINUTE;
    const closed = await (await w.start()).tick();
    expect(closed).toMatchObject({ coldStart: true, heldBackBy: null });
    expect(w.sink.rows().length).toBeGreaterThan(before);
  });
});
