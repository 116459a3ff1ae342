import { describe, expect, it } from "vitest";
import { count, sum } from "../../lib/api/aggregates.js";
import { columns, long, string, timestamp } from "../../lib/api/columns.js";
import { memory } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import { window } from "../../lib/api/window-functions.js";
import type { RunOptions } from "../../lib/api/write-stream.js";
import type { RecordStream } from "../../lib/sinks/kinesis-sink.js";
import { kinesisSink } from "../../lib/sinks/kinesis-sink.js";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import { type KinesisEvent, kinesisDeliveries } from "../../lib/sources/kinesis-event.js";
import { type Engine, engine, seconds, send } from "../runtime/support/engine.js";
import { aggregate } from "../sources/kpl-aggregate.js";

/** TRIALS.md G62, G64, G66, G69, G71, G73, G74: what Lambda and Kinesis deliver twice, half or broken. */

const input = () =>
  readStream(memory({ name: "input", schema: columns({ t: timestamp(), n: long() }) })).withWatermark(
    "t",
    "10 seconds",
  );
const totals = (options: RunOptions = {}, stream = input()) =>
  stream
    .groupBy(window("t", "10 seconds"))
    .agg({ rows: count(), total: sum("n"), twice: sum("n"), thrice: sum("n") })
    .writeStream({ queryName: "trial", outputMode: "append", sink: memory(), options }).definition;

const row = (t: number, n = 1) => ({ t: seconds(t), n });
const watermarks = ({ progress }: Engine) =>
  progress.map(({ eventTime }) => (eventTime.watermark === null ? null : Date.parse(eventTime.watermark) / 1000));

describe("G62: a crash while results are written", () => {
  it("leaves totals as if everything ran once", async () => {
    let failures = 1;
    const sink = memorySink();
    const flaky: typeof sink = {
      ...sink,
      publish: async (identity, parts) => {
        if (parts.length > 0 && failures-- > 0) throw new Error("the environment died");
        await sink.publish(identity, parts);
      },
    };
    const e = engine(totals(), { sinks: { result: flaky, late: flaky, malformed: flaky } });
    const delivery = send(1, [row(1), row(2), row(30)]);
    await expect((await e.start()).processBatch([delivery])).rejects.toThrow();
    const again = await (await e.start()).processBatch([delivery]);
    expect(again.progress).toBeNull();
    const window = { start: 0, end: 10_000 };
    expect(sink.rows()).toEqual([{ window, rows: 2, total: 2, twice: 2, thrice: 2 }]);
  });
});

describe("G64: a user function that throws on the fourth of six records", () => {
  const throwing = input().filter((r) => {
    if (r.n === 4) throw new Error("no");
    return true;
  });

  it("commits the first three, reports the fourth, and moves the watermark by the three alone", async () => {
    const e = engine(totals({}, throwing));
    const query = await e.start();
    const records = [1, 2, 3, 4, 5, 6].map((n) => row(n * 20, n));
    const first = await query.processBatch([send(1, records)]);
    expect(first.unprocessed).toMatchObject([{ sequence: "4" }]);
    expect(first.progress).toMatchObject({ deliveredRecords: 3, decodedRecords: 3 });
    expect(watermarks(e)).toEqual([50]);
    const next = await query.processBatch([send(4, records.slice(3))]);
    expect(next.unprocessed).toMatchObject([{ sequence: "4" }]);
    expect(e.progress).toHaveLength(1);
  });
});

describe("G66: a poison record", () => {
  it("goes to the malformed output and holds nobody back", async () => {
    const e = engine(totals());
    const query = await e.start();
    const { unprocessed } = await query.processBatch([
      send(1, [JSON.stringify(row(1)), "not JSON at all", JSON.stringify(row(30))]),
    ]);
    expect(unprocessed).toEqual([]);
    expect(e.sink.rows("malformed")).toMatchObject([
      { reason: "not-json", payload: Buffer.from("not JSON at all").toString("base64"), source: { sequence: "2" } },
    ]);
    expect(e.progress[0]!.stateOperators[0]).toMatchObject({ accepted: 2 });
    expect(watermarks(e)).toEqual([20]);
  });
});

describe("G73: two invocations of one shard at once", () => {
  it("commit once; the loser finds its records consumed and publishes nothing of its own", async () => {
    const e = engine(totals(), { generation: 1 });
    const [one, other] = [await e.start(), await e.start()];
    await one.processBatch([send(1, [row(1)])]);
    await other.processBatch([send(1, [row(1)])]);
    const delivery = send(2, [row(2), row(30)]);
    const outcomes = await Promise.all([one.processBatch([delivery]), other.processBatch([delivery])]);
    expect(outcomes.filter(({ progress }) => progress !== null)).toHaveLength(1);
    expect(e.sink.batches()).toHaveLength(1);
    expect(e.sink.rows()).toMatchObject([{ rows: 2 }]);
  });
});

describe("G74: a sink that stores 24 of 25 records", () => {
  it("is given the one again before the invocation succeeds", async () => {
    const stored: Uint8Array[] = [];
    let calls = 0;
    const stream: RecordStream = {
      putRecords: async (records) => {
        calls++;
        const refused = calls === 1 ? records.length - 1 : -1;
        records.forEach(({ data }, at) => {
          if (at !== refused) stored.push(data);
        });
        return records.map((_, at) => (at === refused ? "ProvisionedThroughputExceededException" : null));
      },
    };
    const result = kinesisSink({ stream, key: [], sleep: async () => {}, random: () => 0 });
    const side = memorySink();
    const e = engine(totals(), { sinks: { result, late: side, malformed: side } });
    const query = await e.start();
    await query.processBatch([send(1, Array.from({ length: 26 }, (_, at) => row(at * 10)).concat(row(300)))]);
    expect(calls).toBe(2);
    expect(stored).toHaveLength(26);
  });
});

describe("G69: an aggregate of the Kinesis Producer Library", () => {
  const event = (...records: readonly [sequence: string, data: Uint8Array][]): KinesisEvent => ({
    Records: records.map(([sequenceNumber, data]) => ({
      eventID: `shardId-000000000000:${sequenceNumber}`,
      eventSourceARN: "arn:aws:kinesis:eu-central-1:123456789012:stream/page-views",
      kinesis: {
        sequenceNumber,
        partitionKey: "k",
        data: Buffer.from(data).toString("base64"),
        approximateArrivalTimestamp: 1_000,
      },
    })),
  });
  const payload = (t: number) => Buffer.from(JSON.stringify(row(t)));
  const packed = aggregate([1, 2, 3].map((t) => ({ partitionKey: "k", data: payload(t) })));
  const deliveries = (...records: [string, Uint8Array][]) => kinesisDeliveries(event(...records), () => "input");

  it("is as many rows as it holds", async () => {
    const e = engine(totals());
    await (await e.start()).processBatch(deliveries(["7", packed], ["8", payload(4)]));
    expect(e.progress[0]).toMatchObject({ deliveredRecords: 4, decodedRecords: 4, numInputRows: 4 });
  });

  it("is read again from the row that failed, and counts none of those before it twice", async () => {
    let broken = true;
    const fragile = input().filter((r) => {
      if (broken && r.t === 3_000) throw new Error("no");
      return true;
    });
    const e = engine(totals({}, fragile));
    const query = await e.start();
    const first = await query.processBatch(deliveries(["7", packed], ["8", payload(4)]));
    expect(first.unprocessed).toMatchObject([{ sequence: "7", sub: 2 }]);
    broken = false;
    await query.processBatch(deliveries(["7", packed], ["8", payload(4)]));
    await query.processBatch(deliveries(["9", payload(60)]));
    expect(e.sink.rows()).toMatchObject([{ rows: 4, total: 4 }]);
  });

  it("with a wrong digest is one record, which is no row", async () => {
    const damaged = Uint8Array.from(packed);
    damaged[damaged.length - 1]! ^= 1;
    const e = engine(totals());
    await (await e.start()).processBatch(deliveries(["7", damaged]));
    expect(e.progress[0]).toMatchObject({ deliveredRecords: 1, malformedRows: 1, numInputRows: 0 });
  });
});

describe("G71: a shard that is split, and two that are merged", () => {
  const perKey = readStream(memory({ name: "input", schema: columns({ t: timestamp(), k: string() }), across: "min" }))
    .withWatermark("t", "0 seconds")
    .groupBy(window("t", "100 seconds"), "k")
    .agg({ n: count() })
    .writeStream({ queryName: "trial", outputMode: "append", sink: memory() }).definition;
  const keyed = (...times: number[]) => times.map((t) => ({ t: seconds(t), k: "k" }));
  const watermark = (e: Engine) => watermarks(e).at(-1);

  it("keep one state per key, begin where the parents stood, and are not held back by them", async () => {
    const e = engine(perKey, { listed: ["input"] });
    const parent = { shard: "parent", parents: [], sequences: ["1", "2"] };
    e.lister.shards = [parent];
    const query = await e.start();
    await query.processBatch([send(1, keyed(1, 2), { shard: "parent", arrival: e.clock.time })]);
    expect(watermark(e)).toBe(2);
    const child = (name: string, ...sequences: string[]) => ({ shard: name, parents: ["parent"], sequences });
    e.lister.shards = [{ ...parent, closed: true }, child("left", "1", "2"), child("right", "1", "2")];
    await query.processBatch([send(1, keyed(3), { shard: "left", arrival: e.clock.time })]);
    expect(watermark(e)).toBe(2);
    await query.processBatch([send(1, keyed(4), { shard: "right", arrival: e.clock.time })]);
    expect(watermark(e)).toBe(3);
    const merged = { shard: "merged", parents: ["left", "right"], sequences: ["1"] };
    e.lister.shards = [
      { ...parent, closed: true },
      { ...child("left", "1"), closed: true },
      { ...child("right", "1"), closed: true },
      merged,
    ];
    await query.processBatch([send(1, keyed(150), { shard: "merged", arrival: e.clock.time })]);
    expect(e.sink.rows()).toMatchObject([{ k: "k", n: 4 }]);
    expect(e.sink.rows("late")).toEqual([]);
  });
});
