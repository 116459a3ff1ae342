import { gunzipSync } from "node:zlib";
import { PutRecordsCommand } from "@aws-sdk/client-kinesis";
import type { Context } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { columns, count, kinesis, type Query, readStream, s3, timestamp, window } from "../../lib/index.js";
import { readEnvironment } from "../../lib/lambda/environment.js";
import { openOnAws } from "../../lib/lambda/open-on-aws.js";
import { queryHandler } from "../../lib/lambda/query-handler.js";
import { startEventSourceMapping } from "../../lib/local/event-source-mapping/event-source-mapping.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";
import { deployedStack } from "./deployed-stack.js";

const schema = columns({ eventTime: timestamp() });
const queryOf = (stream: string, slide?: string): Query =>
  readStream(kinesis({ stream, schema, maxFutureSkew: false }))
    .withWatermark("eventTime", "10 minutes")
    .groupBy(
      window("eventTime", slide === undefined ? "5 minutes" : "10 minutes", slide === undefined ? {} : { slide }),
    )
    .agg({ views: count() })
    .writeStream({ queryName: stream, outputMode: "append", sink: s3({ prefix: "out/" }) });

const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: "1" } as Context;
const at = (text: string) => `2024-03-01T${text}:00Z`;
const rows = (...times: string[]) => times.map((text) => JSON.stringify({ eventTime: at(text) }));
const windowAt = (start: string, end: string) => ({ start: at(start), end: at(end) });

interface Outputs {
  readonly result: readonly unknown[];
  readonly late: readonly unknown[];
  readonly malformed: readonly unknown[];
}

describe("batches of a stream, through the mapping and the handler of the embedded stack", () => {
  const deployed = deployedStack();

  /** What stands in S3 after each batch, and the progress records that the log keeps. */
  async function run(query: Query, batches: readonly (readonly string[])[], restartBefore: number | null = null) {
    const stream = query.definition.queryName;
    await deployed.stack.createStream(stream);
    let handler = queryHandler(query);
    const mapping = await startEventSourceMapping({
      kinesis: deployed.stack.clients.kinesis,
      streamName: stream,
      reportBatchItemFailures: true,
      pollMs: 10,
      invoke: (event) => handler(event, context) as Promise<unknown>,
    });
    const states: Outputs[] = [];
    for (const [index, batch] of batches.entries()) {
      if (index === restartBefore) handler = queryHandler(query);
      const Records = batch.map((text) => ({ PartitionKey: "k", Data: Buffer.from(text) }));
      await deployed.stack.clients.kinesis.send(new PutRecordsCommand({ StreamName: stream, Records }));
      await mapping.whenCaughtUp();
      states.push({
        result: await written(stream),
        late: await written(`${stream}.late`),
        malformed: await written(`${stream}.malformed`),
      });
    }
    await mapping.stop();
    const reader = await openOnAws(query.definition, readEnvironment(process.env), {
      clock: { now: Date.now },
      onProgress: () => {},
    });
    return { states, last: states.at(-1)!, progress: await reader.recentProgress() };
  }

  async function written(folder: string): Promise<readonly unknown[]> {
    const objects = s3ObjectStore(deployed.stack.clients.s3, "results");
    const lines: unknown[] = [];
    for await (const { key } of objects.list(`out/${folder}/`)) {
      const text = gunzipSync((await objects.get(key))!).toString("utf8");
      lines.push(
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown),
      );
    }
    return lines;
  }

  const EXAMPLE = [rows("12:01", "12:07"), rows("12:16", "12:03"), rows("12:02")];

  it.each([null, 0, 1, 2])("answer the worked example, with a new environment before batch %s", async (restart) => {
    const { states, progress } = await run(queryOf(`worked-${restart}`), EXAMPLE, restart);
    const closed = [{ window: windowAt("12:00", "12:05"), views: 2 }];
    expect(states.map(({ result }) => result)).toEqual([[], closed, closed]);
    expect(states.map(({ late }) => late.length)).toEqual([0, 0, 1]);
    expect(states[2]!.late).toMatchObject([
      {
        eventTime: at("12:02"),
        watermark: at("12:06"),
        lateByMs: 240_000,
        missedWindows: [windowAt("12:00", "12:05")],
      },
    ]);
    expect(progress.map(({ batchId }) => batchId)).toEqual([1, 2, 3]);
    expect(progress.map(({ stateOperators }) => stateOperators[0]!.numRowsDroppedByWatermark)).toEqual([0, 0, 1]);
    expect(progress.map(({ coldStart }) => coldStart)).toEqual([0, 1, 2].map((i) => i === 0 || i === restart));
    for (const batch of progress) expectClosedBooks(batch);
  });

  it("count a row 8 minutes past its window, and route one 12 minutes past it", async () => {
    const { last } = await run(queryOf("past"), [rows("10:13"), rows("10:02"), rows("10:17"), rows("10:03")]);
    expect(last.result).toEqual([{ window: windowAt("10:00", "10:05"), views: 1 }]);
    expect(last.late).toMatchObject([{ eventTime: at("10:03"), missedWindows: [windowAt("10:00", "10:05")] }]);
  });

  it("write a row that is late for several sliding windows once, and say of one that is partly late that it counted", async () => {
    const batches = [rows("12:16"), rows("12:30"), rows("12:02"), rows("12:17"), rows("13:00")];
    const { last, progress } = await run(queryOf("sliding", "5 minutes"), batches);
    expect(last.late).toMatchObject([
      {
        eventTime: at("12:02"),
        partial: false,
        missedWindows: [windowAt("11:55", "12:05"), windowAt("12:00", "12:10")],
      },
      { eventTime: at("12:17"), partial: true, missedWindows: [windowAt("12:10", "12:20")] },
    ]);
    expect(last.result).toContainEqual({ window: windowAt("12:15", "12:25"), views: 2 });
    expect(progress.map(({ numLateInputRows }) => numLateInputRows)).toEqual([0, 0, 1, 0, 0]);
    expect(progress.map(({ partlyLateRows }) => partlyLateRows)).toEqual([0, 0, 0, 1, 0]);
    for (const batch of progress) expectClosedBooks(batch);
  });

  it("keep what is no row with its bytes, its reason and its place", async () => {
    const poison = ["{oops", '{"eventTime":"yesterday"}', '{"eventTime":null}'];
    const { last, progress } = await run(queryOf("malformed"), [[...poison, ...rows("12:01")]]);
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const place = { stream: "malformed", shard: "shardId-000000000000", sequence: expect.stringMatching(/^\d{56}$/) };
    expect(last.malformed).toMatchObject([
      { reason: "not-json", payload: base64(poison[0]!), source: place },
      {
        reason: "schema-violation",
        detail: expect.stringContaining("eventTime"),
        payload: base64(poison[1]!),
        source: place,
      },
      { reason: "no-event-time", row: { eventTime: null }, source: place },
    ]);
    expect(progress).toMatchObject([{ deliveredRecords: 4, malformedRows: 2, withoutTimeRows: 1, decodedRecords: 2 }]);
    for (const batch of progress) expectClosedBooks(batch);
  });
});

function expectClosedBooks(batch: QueryProgress): void {
  const { deliveredRecords, skippedRecords, malformedRows, decodedRecords } = batch;
  expect(deliveredRecords).toBe(skippedRecords + malformedRows + decodedRecords);
  for (const { rowsIn, accepted, numLateInputRows, withoutTime } of batch.stateOperators)
    expect(rowsIn).toBe(accepted + numLateInputRows + withoutTime);
}
