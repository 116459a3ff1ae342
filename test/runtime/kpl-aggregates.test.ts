import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columns, count, kinesis, memory, readStream, string, timestamp, window } from "../../lib/index.js";
import { batchResponse } from "../../lib/lambda/batch-response.js";
import { type KinesisEvent, kinesisDeliveries } from "../../lib/sources/kinesis-event.js";
import { aggregate } from "../sources/kpl-aggregate.js";
import { type Engine, engine } from "./support/engine.js";

const ARRIVAL = 1_900_000_000;
const MINUTE = 60_000;

/** Rows named in `poison` make the user's function throw. */
const queryOf = (poison: ReadonlySet<string> = new Set()) =>
  readStream(kinesis({ stream: "views", schema: columns({ at: timestamp(), page: string() }) }))
    .filter((row) => {
      if (poison.has(row.page ?? "")) throw new Error("no such page");
      return true;
    })
    .withWatermark("at", "1 minute")
    .groupBy(window("at", "1 minute"), "page")
    .agg({ views: count() })
    .writeStream({ queryName: "views", outputMode: "append", sink: memory() });

interface View {
  readonly minute: number;
  readonly page: string;
}

const payload = ({ minute, page }: View) => Buffer.from(JSON.stringify({ at: minute * MINUTE, page }));
const record = (sequence: number, data: Uint8Array) => ({
  eventID: `shardId-000000000000:${sequence}`,
  eventSourceARN: "arn:aws:kinesis:eu-central-1:123456789012:stream/views",
  kinesis: {
    sequenceNumber: String(sequence),
    partitionKey: "k",
    data: Buffer.from(data).toString("base64"),
    approximateArrivalTimestamp: ARRIVAL,
  },
});
const plain = (views: readonly View[], first: number): KinesisEvent => ({
  Records: views.map((view, at) => record(first + at, payload(view))),
});
const packed = (views: readonly View[], sequence: number): KinesisEvent => ({
  Records: [record(sequence, aggregate(views.map((view) => ({ partitionKey: "k", data: payload(view) }))))],
});
const deliveries = (event: KinesisEvent) => kinesisDeliveries(event, (stream) => stream);
const answer = ({ sink }: Engine) => ({
  results: sink.rows(),
  late: sink.rows("late").map(({ row, lateByMs }) => ({ row, lateByMs })),
});

describe("user records in an aggregate", () => {
  it("answer as the same records one by one", async () => {
    const view = fc.record({ minute: fc.integer({ min: 0, max: 20 }), page: fc.constantFrom("/", "/docs") });
    const batches = fc.array(fc.array(view, { minLength: 1, maxLength: 6 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const [onePerRecord, aggregated] = [engine(queryOf().definition), engine(queryOf().definition)];
        const [first, second] = [await onePerRecord.start(), await aggregated.start()];
        for (const [at, views] of all.entries()) {
          await first.processBatch(deliveries(plain(views, at * 100 + 1)));
          await second.processBatch(deliveries(packed(views, at * 100 + 1)));
        }
        expect(answer(aggregated)).toEqual(answer(onePerRecord));
      }),
      { numRuns: 40 },
    );
  });

  it("are neither lost nor repeated when one of them fails: the aggregate comes again, from that one on", async () => {
    const views = ["/", "/docs", "/broken", "/", "/docs"].map((page) => ({ minute: 1, page }));
    const e = engine(queryOf(new Set(["/broken"])).definition);
    const stopped = await (await e.start()).processBatch(deliveries(packed(views, 7)));
    expect(stopped.unprocessed).toMatchObject([{ sequence: "7", sub: 2 }]);
    // Lambda knows no part of a record: it is told the record itself.
    expect(batchResponse(stopped.unprocessed)).toEqual({ batchItemFailures: [{ itemIdentifier: "7" }] });

    const mended = await e.start(queryOf().definition);
    await mended.processBatch(deliveries(packed(views, 7)));
    await mended.processBatch(deliveries(packed(views, 7)));
    await mended.processBatch(deliveries(plain([{ minute: 9, page: "/" }], 8)));
    expect(e.progress.map(({ skippedRecords, decodedRecords }) => [skippedRecords, decodedRecords])).toEqual([
      [0, 2],
      [2, 3],
      [0, 1],
    ]);
    expect(
      e.sink
        .rows()
        .map(({ page, views: n }) => `${page} ${n}`)
        .toSorted(),
    ).toEqual(["/ 2", "/broken 1", "/docs 2"]);
  });
});
