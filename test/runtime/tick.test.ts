import { describe, expect, it } from "vitest";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import { heartbeatPayload } from "../../lib/sources/heartbeat.js";
import type { MemoryShard } from "../../lib/sources/memory-shard-lister.js";
import { delivery, harness } from "./support/harness.js";
import { windowedCount } from "./support/windowed-count.js";

const second = 1_000;
const counted = () => windowedCount({ sizeMs: second, delayMs: 0 });
const auto = { kind: "memory", across: "auto" } as const;
const shard = (name: string, ...sequences: number[]): MemoryShard => ({
  shard: name,
  parents: [],
  sequences: sequences.map(String),
});

describe("a tick", () => {
  it("commits nothing where nothing changes", async () => {
    const h = harness({ physical: counted, source: auto, withLister: true });
    h.lister.shards = [shard("a", 1)];
    await h.query.processBatch([delivery("a", 1, [{ t: 500, arrival: h.clock.time }])]);
    for (let tick = 0; tick < 3; tick++) {
      h.clock.time += 60_000;
      expect(await h.query.tick()).toBeNull();
    }
    expect(h.partition.commits).toHaveLength(1);
  });

  it("TRIALS-2 D6: under closeOnIdle closes what is open, and then commits nothing while the input stays silent", async () => {
    const idle: string[] = [];
    const h = harness({
      physical: counted,
      source: auto,
      withLister: true,
      options: { closeOnIdleMs: 120_000 },
      ports: { onIdle: ({ watermark }) => idle.push(watermark!) },
    });
    h.lister.shards = [shard("a", 1)];
    await h.query.processBatch([delivery("a", 1, [{ t: 500, arrival: h.clock.time }])]);
    const closed: (number | null)[] = [];
    for (let minute = 0; minute < 6; minute++) {
      h.clock.time += 60_000;
      closed.push((await h.query.tick())?.sink.numOutputRows ?? null);
    }
    // A look says what was read a second ago, so the second minute is the first of 120 s of silence but one.
    expect(closed).toEqual([null, null, 1, null, null, null]);
    expect(h.partition.commits).toHaveLength(2);
    // Event time goes on with the clock all the same, for the lag that an alarm watches.
    expect(idle.at(-1)).toBe("1970-01-01T00:05:59.500Z");
    const cold = h.restart();
    h.clock.time += 60_000;
    expect(await cold.tick()).toBeNull();
  });

  it("finds a silent shard caught up, and closes what only it held open", async () => {
    const h = harness({ physical: counted, source: auto, withLister: true });
    h.lister.shards = [shard("a", 1, 2), shard("b")];
    const { time } = h.clock;
    await h.query.processBatch([
      delivery("a", 1, [
        { t: 500, arrival: time },
        { t: 1_500, arrival: time },
      ]),
    ]);
    expect(h.progress.at(-1)).toMatchObject({ heldBackBy: "input/b" });
    h.clock.time += 60_000;
    const progress = await h.query.tick();
    expect(progress).toMatchObject({ heldBackBy: null, sink: { numOutputRows: 1 }, numInputRows: 0 });
    expect(h.sink.rows()).toEqual([{ window: { start: 0, end: 1_000 }, count: 1 }]);
  });

  it("does not take a lagging shard for a silent one", async () => {
    const h = harness({ physical: counted, source: auto, withLister: true });
    h.lister.shards = [shard("a", 1, 2), shard("b", 1)];
    await h.query.processBatch([delivery("a", 1, [{ t: 500, arrival: h.clock.time }])]);
    h.clock.time += 60_000;
    expect(await h.query.tick()).toBeNull();
  });

  it("publishes what the winner of a race left unpublished, also where it leaves nothing to commit", async () => {
    const h = harness({ physical: counted });
    await h.query.processBatch([delivery("a", 1, [{ t: 500, arrival: h.clock.time }])]);
    const [before] = h.partition.commits;
    const drained = { ...before!, offsets: [], registers: { ...before!.registers, drained: true } };
    h.partition.loseNext.push(() => void h.partition.commit(drained, h.partition.stage()));
    expect(await h.query.drain()).toBeNull();
    expect(h.partition.published).toEqual([1, 2]);
  });

  it("publishes what a crash left unpublished", async () => {
    const sink = memorySink();
    let crashes = 1;
    const flaky = {
      ...sink,
      publish: async (...args: Parameters<typeof sink.publish>) => {
        if (crashes-- > 0) throw new Error("crash");
        await sink.publish(...args);
      },
    };
    const h = harness({ physical: counted, ports: { sinks: { result: flaky, late: flaky, malformed: flaky } } });
    await expect(h.query.processBatch([delivery("a", 1, [500, 1_500])])).rejects.toThrow("crash");
    expect(await h.restart().tick()).toBeNull();
    expect(sink.rows()).toHaveLength(1);
  });

  it("fails if the shards cannot be listed, and moves nothing", async () => {
    const h = harness({ physical: counted, source: auto, withLister: true });
    h.lister.listShards = async () => {
      throw new Error("AccessDenied");
    };
    await expect(h.query.tick()).rejects.toThrow("shards-unreadable");
    expect(h.partition.commits).toEqual([]);
  });
});

describe("a heartbeat", () => {
  it("advances the watermark and is no row", async () => {
    const h = harness({ physical: counted });
    const text = new TextDecoder().decode(heartbeatPayload("1970-01-01T00:00:05Z"));
    await h.query.processBatch([delivery("a", 1, [{ t: 500 }, { text }])]);
    expect(h.sink.rows()).toEqual([{ window: { start: 0, end: 1_000 }, count: 1 }]);
    expect(h.progress[0]).toMatchObject({ deliveredRecords: 2, decodedRecords: 1, heartbeats: 1, numInputRows: 1 });
    await h.query.processBatch([delivery("a", 3, [4_000])]);
    expect(h.progress[1]).toMatchObject({ numLateInputRows: 1 });
  });

  it("from a fast clock moves nothing, and is counted among what was ignored for the watermark", async () => {
    const h = harness({ physical: counted, source: { kind: "memory", maxFutureSkew: "1 minute" } });
    const beat = (time: string) => ({ text: new TextDecoder().decode(heartbeatPayload(time)), arrival: 10_000 });
    await h.query.processBatch([delivery("a", 1, [{ t: 500, arrival: 10_000 }, beat("2100-01-01T00:00:00Z")])]);
    expect(h.sink.rows()).toEqual([]);
    expect(h.progress[0]).toMatchObject({ heartbeats: 1, rowsIgnoredForWatermark: 1 });
    await h.query.processBatch([delivery("a", 3, [{ t: 400, arrival: 10_000 }, beat("1970-01-01T00:01:10Z")])]);
    expect(h.sink.rows()).toEqual([{ window: { start: 0, end: 1_000 }, count: 2 }]);
    expect(h.progress[1]).toMatchObject({ numLateInputRows: 0, rowsIgnoredForWatermark: 0 });
  });
});
