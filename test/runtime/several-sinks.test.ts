import { describe, expect, it } from "vitest";
import { columns, memory, readStream, string, timestamp } from "../../lib/index.js";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import type { Sink } from "../../lib/sinks/sink.js";
import { engine, seconds, send } from "./support/engine.js";

const rows = readStream(memory({ name: "rows", schema: columns({ ts: timestamp(), k: string() }) }));
const { definition } = rows.writeStream({
  queryName: "several",
  outputMode: "append",
  sinks: { raw: memory({ name: "raw" }), live: memory({ name: "live" }) },
});

/** Two sinks of one kind, told apart by their targets; the second can be down. */
function sinks() {
  const [raw, live, side] = [memorySink(), memorySink(), memorySink()];
  const state = { down: false, calls: 0 };
  const flaky: Sink = {
    ...live,
    target: "memory:live",
    publish: async (identity, parts) => {
      state.calls++;
      if (state.down) throw new Error("down");
      await live.publish(identity, parts);
    },
  };
  const result: Sink = { ...raw, target: "memory:raw" };
  const others: readonly Sink[] = [flaky];
  return { raw, live, side, state, flaky, sinks: { result, late: side, malformed: side, others } };
}

const sent = (first: number, ...texts: readonly (string | null)[]) =>
  send(
    first,
    texts.map((k) => (k === null ? "no json" : { ts: seconds(first), k })),
    { source: "rows" },
  );

describe("several sinks of one query", () => {
  it("get the same rows under the same identity, side outputs once", async () => {
    const world = sinks();
    const { query } = await opened(world);
    await query.processBatch([sent(1, "a", null, "b")]);
    await query.processBatch([sent(4, "c")]);
    expect(world.raw.batches().map(({ identity, rows: own }) => [identity.batchId, own.map(({ k }) => k)])).toEqual([
      [1, ["a", "b"]],
      [2, ["c"]],
    ]);
    expect(world.live.batches()).toEqual(world.raw.batches());
    expect(world.side.batches("malformed")).toHaveLength(1);
    expect(query.lastProgress()?.sink).toEqual({ description: "memory, memory", numOutputRows: 1 });
  });

  it("wait for the one that is down, and then each has each row once, in order", async () => {
    const world = sinks();
    const { query } = await opened(world);
    world.state.down = true;
    await expect(query.processBatch([sent(1, "a")])).rejects.toThrow("down");
    await expect(query.processBatch([sent(1, "a"), sent(2, "b")])).rejects.toThrow("down");
    expect(world.live.rows()).toEqual([]);
    world.state.down = false;
    await query.processBatch([sent(1, "a"), sent(2, "b")]);
    expect(world.live.rows().map(({ k }) => k)).toEqual(["a", "b"]);
    expect(world.raw.rows().map(({ k }) => k)).toEqual(["a", "b"]);
  });

  it("are published to by what was staged for them, when one is new or gone", async () => {
    const world = sinks();
    const { query, start } = await opened(world);
    world.state.down = true;
    await expect(query.processBatch([sent(1, "a")])).rejects.toThrow("down");
    const added = memorySink();
    world.sinks.others = [{ ...added, target: "memory:added" }];
    const again = await start();
    world.state.down = false;
    await again.processBatch([sent(2, "b")]);
    expect(world.live.rows().map(({ k }) => k)).toEqual(["a"]);
    expect(added.rows().map(({ k }) => k)).toEqual(["b"]);
    expect(world.raw.rows().map(({ k }) => k)).toEqual(["a", "b"]);
  });
});

async function opened(world: ReturnType<typeof sinks>) {
  const { start } = engine(definition, { sinks: world.sinks, formerSink: async () => world.flaky });
  return { query: await start(), start };
}
