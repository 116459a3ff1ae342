import { describe, expect, it } from "vitest";
import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import {
  avg,
  columns,
  count,
  kinesis,
  long,
  memory,
  readStream,
  string,
  sum,
  timestamp,
  window,
} from "../../lib/index.js";
import { type MemorySink, memorySink } from "../../lib/sinks/memory-sink.js";
import { targetOf } from "../../lib/sinks/sink-target.js";
import { engine, seconds, send } from "../runtime/support/engine.js";

const Order = columns({ t: timestamp(), key: string(), a: long(), b: long() });
type Source = Parameters<typeof readStream<typeof Order>>[0];
const input = (source: Source = memory({ name: "orders", schema: Order })) =>
  readStream(source).withWatermark("t", "0 seconds");
const write = { queryName: "counts", outputMode: "append", sink: memory() } as const;
const row = (t: number, a = 0, b = 0) => ({ t: seconds(t), key: "x", a, b });

describe("A2: another query of the same name", () => {
  const counts = (source: Source) =>
    input(source).groupBy(window("t", "10 seconds"), "key").agg({ n: count() }).writeStream(write).definition;

  it("is refused where it reads another source, and its state is left alone", async () => {
    const e = engine(counts(memory({ name: "orders", schema: Order })));
    await (await e.start()).processBatch([send(1, [row(1)], { source: "orders" })]);
    await expect(e.start(counts(memory({ name: "clicks", schema: Order })))).rejects.toThrow(
      /\[source-changed\].*reads orders \(memory\); this one reads clicks \(memory\)/,
    );
    await (await e.start()).drain();
    expect(e.sink.rows()).toMatchObject([{ n: 1 }]);
  });

  it("is refused where the same name means another stream", async () => {
    const e = engine(counts(kinesis({ name: "orders", stream: "orders-eu", schema: Order })));
    await e.start();
    await expect(e.start(counts(kinesis({ name: "orders", stream: "orders-us", schema: Order })))).rejects.toThrow(
      /source-changed.*orders \(kinesis orders-eu\).*orders \(kinesis orders-us\)/,
    );
  });

  it("is refused without any state too, for offsets and output would be one", async () => {
    const passed = (name: string) => input(memory({ name, schema: Order })).writeStream(write).definition;
    const e = engine(passed("orders"));
    await e.start();
    await expect(e.start(passed("clicks"))).rejects.toThrow("source-changed");
  });

  it("a source may be added", async () => {
    const one = input();
    const e = engine(one.groupBy(window("t", "10 seconds")).agg({ n: count() }).writeStream(write).definition);
    await (await e.start()).processBatch([send(1, [row(1)], { source: "orders" })]);
    const both = one.union(input(memory({ name: "clicks", schema: Order })));
    const added = await e.start(
      both.groupBy(window("t", "10 seconds")).agg({ n: count() }).writeStream(write).definition,
    );
    await added.processBatch([send(1, [row(2)], { source: "clicks" })]);
    await added.drain();
    expect(e.sink.rows()).toMatchObject([{ n: 2 }]);
  });
});

describe("A3: the sink changed", () => {
  const windows = input().groupBy(window("t", "10 seconds")).agg({ n: count() }).writeStream(write).definition;
  const starts = (sink: MemorySink) => sink.rows().map(({ window: w }) => (w as { start: number }).start);

  const checkpoint = () => ({ log: memoryCheckpointLog(() => 1_000_000), objects: memoryObjectStore(() => 1_000_000) });

  function sinks() {
    const open = new Map<string, MemorySink>();
    const at = (target: string): MemorySink => {
      const known = open.get(target) ?? { ...memorySink(), target };
      open.set(target, known);
      return known;
    };
    return { at, of: (target: string) => ({ result: at(target), late: at(target), malformed: at(target) }) };
  }

  it("each window is published to one of them", async () => {
    const { at, of } = sinks();
    const former = async (target: string) => at(target);
    const shared = checkpoint();
    const e = (target: string) => ({ ...shared, sinks: of(target), formerSink: former });
    const before = await engine(windows, e("P1")).start();
    await before.processBatch([send(1, [row(1), row(15), row(40)], { source: "orders" })]);
    expect(starts(at("P1"))).toEqual([0, 10_000]);
    const after = await engine(windows, e("P2")).start();
    await after.processBatch([send(4, [row(55)], { source: "orders" })]);
    expect(starts(at("P2"))).toEqual([40_000]);
    expect(starts(at("P1"))).toEqual([0, 10_000]);
  });

  it("what was committed and not yet published goes where it was committed for", async () => {
    const { at, of } = sinks();
    const shared = checkpoint();
    const broken = { ...at("P1"), publish: async () => Promise.reject(new Error("down")) };
    const before = await engine(windows, { ...shared, sinks: { ...of("P1"), result: broken } }).start();
    await expect(before.processBatch([send(1, [row(1), row(15)], { source: "orders" })])).rejects.toThrow();
    const refused = await engine(windows, { ...shared, sinks: of("P2") }).start();
    await expect(refused.tick()).rejects.toThrow(/\[sink-changed\].*published to P1/);
    const denied = await engine(windows, { ...shared, sinks: of("P2"), formerSink: async () => broken }).start();
    await expect(denied.tick()).rejects.toThrow(/\[former-sink-unavailable\].*committed for P1/);
    const after = await engine(windows, { ...shared, sinks: of("P2"), formerSink: async (t) => at(t) }).start();
    await after.tick();
    expect([starts(at("P1")), starts(at("P2"))]).toEqual([[0], []]);
    expect(targetOf(at("P1"))).toBe("P1");
  });
});

describe("E7: accumulators belong to what they compute", () => {
  const totals = (aggregates: Parameters<ReturnType<ReturnType<typeof input>["groupBy"]>["agg"]>[0]) =>
    input()
      .groupBy(window("t", "10 seconds"))
      .agg(aggregates as { x: ReturnType<typeof sum<"a">>; y: ReturnType<typeof sum<"b">> })
      .writeStream(write).definition;
  const [x, y] = [sum("a"), sum("b")];

  async function redeployed(before: object, after: object) {
    const e = engine(totals(before as never));
    await (await e.start()).processBatch([send(1, [row(1, 3, 300), row(2, 1, 100)], { source: "orders" })]);
    const second = await e.start(totals(after as never));
    await second.processBatch([send(3, [row(3, 3, 300)], { source: "orders" })]);
    await second.drain();
    return e.sink.rows();
  }

  it("another order changes nothing", async () => {
    expect(await redeployed({ x, y }, { y, x })).toMatchObject([{ x: 7, y: 700 }]);
  });

  it("nor another order of functions with several slots, twice", async () => {
    const e = { x: avg("a"), n: count(), y };
    expect(await redeployed(e, { y, x: avg("a"), n: count() })).toMatchObject([{ x: 7 / 3, n: 3, y: 700 }]);
  });

  it("an output renamed keeps its sum; exchanged names follow what they now compute", async () => {
    expect(await redeployed({ x, y }, { total: sum("a"), y })).toMatchObject([{ total: 7, y: 700 }]);
    expect(await redeployed({ x, y }, { x: sum("b"), y: sum("a") })).toMatchObject([{ x: 700, y: 7 }]);
  });

  it.each([
    ["another column", { x: sum("b") }],
    ["another function", { x: count("a") }],
    ["one more", { x, y }],
  ])("%s is refused", async (_, after) => {
    await expect(redeployed({ x }, after)).rejects.toThrow("state-value-schema-changed");
  });

  it("a name that now means another column is another argument, or another key", async () => {
    const renamed = (from: "a" | "b") =>
      input()
        .rename({ [from]: "v" } as { a: "v" })
        .groupBy(window("t", "10 seconds"))
        .agg({ x: sum("v") })
        .writeStream(write).definition;
    const e = engine(renamed("a"));
    await e.start();
    await expect(e.start(renamed("b"))).rejects.toThrow(/state-value-schema-changed.*stored sum\(a\), now sum\(b\)/);
  });
});
