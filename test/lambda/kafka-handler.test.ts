import type { Context } from "aws-lambda";
import { expect, it, onTestFinished, vi } from "vitest";
import { outputReader } from "../../demo/outputs.js";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { columns, count, files, kafka, long, memory, readStream, s3, timestamp, window } from "../../lib/index.js";
import { type QueryHandler, queryHandler } from "../../lib/lambda.js";
import { deployedStack } from "./deployed-stack.js";

const deployed = deployedStack();
const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: "1" } as Context;
const time = (text: string) => `2024-03-01T${text}:00Z`;
const ARRIVAL = Date.parse(time("13:00"));

const event = (
  eventSource: string,
  partitions: Readonly<Record<number, readonly (readonly [offset: number, row: object])[]>>,
) => ({
  eventSource,
  records: Object.fromEntries(
    Object.entries(partitions).map(([partition, rows]) => [
      `orders-${partition}`,
      rows.map(([offset, row]) => ({
        topic: "orders",
        partition: Number(partition),
        offset,
        timestamp: ARRIVAL,
        value: Buffer.from(JSON.stringify(row)).toString("base64"),
      })),
    ]),
  ),
});

const at = (text: string) => ({ at: time(text) });
const written = (prefix: string) => outputReader(s3ObjectStore(deployed.stack.clients.s3, "results")).newRows(prefix);

it.each(["aws:kafka", "SelfManagedKafka"])(
  "counts the rows of a topic's partitions once, whatever %s sends again",
  async (from) => {
    const queryName = `orders-${from.replace(":", "-")}`;
    const query = readStream(kafka({ topic: "orders", schema: columns({ at: timestamp() }) }))
      .withWatermark("at", "10 minutes")
      .groupBy(window("at", "5 minutes"))
      .agg({ orders: count() })
      .writeStream({ queryName, outputMode: "append", sink: s3() });
    const handler = queryHandler(query) as QueryHandler;
    const first = event(from, {
      0: [
        [7, at("12:01")],
        [9, at("12:02")],
      ],
      1: [[7, at("12:03")]],
    });
    expect(await handler(first, context)).toEqual({ batchItemFailures: [] });
    await handler(first, context);
    // The same offset in another partition is another record; partition 1 is read again from 7 on.
    await handler(
      event(from, {
        1: [
          [7, at("12:03")],
          [8, at("12:30")],
        ],
        0: [[10, at("12:40")]],
      }),
      context,
    );
    expect(await written(`${queryName}/`)).toEqual([
      { window: { start: time("12:00"), end: time("12:05") }, orders: 3 },
    ]);
  },
);

it("lets the whole batch come again where a record stops it, and goes on behind what it consumed", async () => {
  let broken = true;
  const query = readStream(kafka({ topic: "orders", schema: columns({ n: long() }) }))
    .filter(({ n }) => {
      if (broken && n === 2) throw new Error("boom");
      return true;
    })
    .writeStream({ queryName: "strict-orders", outputMode: "append", sink: s3() });
  const handler = queryHandler(query) as QueryHandler;
  const batch = event("aws:kafka", {
    0: [
      [1, { n: 1 }],
      [2, { n: 2 }],
      [3, { n: 3 }],
    ],
  });
  await expect(handler(batch, context)).rejects.toThrow("records-left");
  broken = false;
  await handler(batch, context);
  expect((await written("strict-orders/")).map(({ n }) => n)).toEqual([1, 2, 3]);
});

it("gets a batch that its time does not suffice for again, whole, until all of it is consumed, each record once", async () => {
  // Each thousandth row takes, by the clock, all the time that an invocation of 60 seconds has but its reserve.
  const realNow = Date.now;
  let lost = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + lost);
  onTestFinished(() => clock.mockRestore());
  const query = readStream(kafka({ topic: "orders", schema: columns({ n: long() }) }))
    .filter(({ n }) => {
      if (Number(n) % 1_000 === 0) lost += 46_000;
      return true;
    })
    .writeStream({ queryName: "slow-orders", outputMode: "append", sink: s3() });
  const handler = queryHandler(query) as QueryHandler;
  const rows = (from: number) =>
    Array.from({ length: 1_500 }, (_, at) => [at, { n: from + at }] as const satisfies readonly [number, object]);
  const batch = event("aws:kafka", { 0: rows(0), 1: rows(1_500) });
  let thrownBack = 0;
  for (let done = false; !done; ) {
    done = await handler(batch, context).then(
      () => true,
      (error: Error) => {
        expect(error.message).toContain("records-left");
        return ++thrownBack > 10;
      },
    );
  }
  // Cut after 0 to 999, 1,000 to 1,499 where the first partition ends, and 1,500 to 2,499.
  expect(thrownBack).toBe(3);
  const found = (await written("slow-orders/")).map(({ n }) => n as number);
  expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 3_000 }, (_, n) => n));
});

it("refuses records of a topic that the query does not read", async () => {
  const query = readStream(files({ name: "orders", schema: columns({ n: long() }) })).writeStream({
    queryName: "no-topic",
    outputMode: "append",
    sink: memory(),
  });
  const handler = queryHandler(query) as QueryHandler;
  await expect(handler(event("aws:kafka", { 0: [[1, { n: 1 }]] }), context)).rejects.toThrow("unknown-topic");
});

const poisoned = (queryName: string) =>
  queryHandler(
    readStream(kafka({ topic: "orders", schema: columns({ n: long() }) }))
      .filter(({ n }) => {
        if (n === 2) throw new Error("boom");
        return true;
      })
      .writeStream({ queryName, outputMode: "append", sink: s3() }),
  ) as QueryHandler;

const POISONED = [
  { 0: [1, 2, 3], 1: [11, 12] },
  { 1: [11, 12], 0: [1, 2, 3] },
].map((partitions) =>
  event(
    "aws:kafka",
    Object.fromEntries(
      Object.entries(partitions).map(([partition, numbers]) => [partition, numbers.map((n) => [n, { n }] as const)]),
    ),
  ),
);

it.each([0, 1])("B2: a poison record stops its own partition alone, whatever their order (%i)", async (order) => {
  const queryName = `poisoned-${order}`;
  const handler = poisoned(queryName);
  await expect(handler(POISONED[order]!, context)).rejects.toThrow("records-left");
  expect((await written(`${queryName}/`)).map(({ n }) => n).sort()).toEqual([1, 11, 12]);
});

it("B2: a mapping that takes partial answers is told from where to send each partition again", async () => {
  vi.stubEnv("TIDEMARK_KAFKA_PARTIAL_BATCHES", "true");
  onTestFinished(() => void vi.unstubAllEnvs());
  const handler = poisoned("poisoned-partial");
  expect(await handler(POISONED[0]!, context)).toEqual({
    batchItemFailures: [{ itemIdentifier: { partition: "orders-0", offset: 2 } }],
  });
});

it("E6: across auto is refused without the number of partitions, and holds for each of them with it", async () => {
  const query = (partitions?: number) =>
    readStream(
      kafka({
        topic: "orders",
        schema: columns({ at: timestamp() }),
        across: "auto",
        ...(partitions ? { partitions } : {}),
      }),
    )
      .withWatermark("at", "1 minute")
      .groupBy(window("at", "5 minutes"))
      .agg({ orders: count() })
      .writeStream({ queryName: "orders-auto", outputMode: "append", sink: s3() });
  expect(() => query()).toThrow(/\[kafka-partitions-unknown\].*partitions: 12/);
  const handler = queryHandler(query(2)) as QueryHandler;
  await handler(
    event("aws:kafka", {
      0: [
        [1, at("12:01")],
        [2, at("14:00")],
      ],
    }),
    context,
  );
  await handler(
    event("aws:kafka", {
      1: [
        [1, at("12:02")],
        [2, at("14:00")],
      ],
    }),
    context,
  );
  expect(await written("orders-auto/")).toEqual([{ window: { start: time("12:00"), end: time("12:05") }, orders: 2 }]);
  expect(await written("orders-auto.late/")).toEqual([]);
});

it("B3: a delivery of nothing but repeats says so in the log and as a metric", async () => {
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  onTestFinished(() => void vi.unstubAllEnvs());
  const handler = queryHandler(
    readStream(kafka({ topic: "orders", schema: columns({ n: long() }) })).writeStream({
      queryName: "repeated",
      outputMode: "append",
      sink: s3(),
    }),
  ) as QueryHandler;
  const batch = event("aws:kafka", {
    0: [
      [1, { n: 1 }],
      [2, { n: 2 }],
    ],
  });
  await handler(batch, context);
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  await handler(batch, context);
  expect(lines.join("\n")).toContain('"repeatedRecords":2');
});
