import { gunzipSync } from "node:zlib";
import { PutRecordCommand } from "@aws-sdk/client-kinesis";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { Context } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { count } from "../../lib/api/aggregates.js";
import { columns, timestamp } from "../../lib/api/columns.js";
import { kinesis, s3 } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import { window } from "../../lib/api/window-functions.js";
import { type QueryHandler, queryHandler } from "../../lib/lambda/query-handler.js";
import {
  type EventSourceMapping,
  startEventSourceMapping,
} from "../../lib/local/event-source-mapping/event-source-mapping.js";
import { deployedStack } from "./deployed-stack.js";

const query = readStream(
  kinesis({ stream: "views", schema: columns({ eventTime: timestamp() }), maxFutureSkew: false }),
)
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"))
  .agg({ views: count() })
  .writeStream({ queryName: "views-5min", outputMode: "append", sink: s3({ prefix: "out" }) });

const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: "1" } as Context;
const time = (text: string) => `2024-03-01T${text}:00Z`;

describe("the handler of a query on the embedded stack", () => {
  const deployed = deployedStack();
  let mapping: EventSourceMapping;
  let handler: QueryHandler;

  beforeAll(async () => {
    await deployed.stack.createStream("views");
    handler = queryHandler(query) as QueryHandler;
    mapping = await startEventSourceMapping({
      kinesis: deployed.stack.clients.kinesis,
      streamName: "views",
      invoke: (event: unknown) => handler(event, context),
    } as never);
  });

  afterAll(() => mapping?.stop());

  const put = async (...payloads: string[]) => {
    for (const Data of payloads)
      await deployed.stack.clients.kinesis.send(
        new PutRecordCommand({ StreamName: "views", PartitionKey: "1", Data: new TextEncoder().encode(Data) }),
      );
    await mapping.whenCaughtUp();
  };
  const rows = (...times: string[]) => times.map((text) => JSON.stringify({ eventTime: time(text) }));

  const objects = async (prefix: string) => {
    const { Contents } = await deployed.stack.clients.s3.send(
      new ListObjectsV2Command({ Bucket: "results", Prefix: prefix }),
    );
    const found: Record<string, unknown>[] = [];
    for (const { Key } of Contents ?? []) {
      const { Body } = await deployed.stack.clients.s3.send(new GetObjectCommand({ Bucket: "results", Key: Key! }));
      const text = gunzipSync(await Body!.transformToByteArray()).toString("utf8");
      found.push(
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      );
    }
    return found;
  };

  it("writes closed windows, late rows and malformed records to S3, and each once", async () => {
    await put(...rows("12:01", "12:07"));
    await put(...rows("12:16", "12:03"), "{oops");
    handler = queryHandler(query) as QueryHandler;
    await put(...rows("12:02"));
    expect(await objects("out/views-5min/")).toEqual([
      { window: { start: "2024-03-01T12:00:00Z", end: "2024-03-01T12:05:00Z" }, views: 2 },
    ]);
    expect(await objects("out/views-5min.late/")).toMatchObject([{ eventTime: "2024-03-01T12:02:00Z" }]);
    expect(await objects("out/views-5min.malformed/")).toMatchObject([{ reason: "not-json" }]);
  });

  it("answers a tick and a scheduled event, and refuses anything else", async () => {
    expect(await handler({ tidemark: "tick" }, context)).toEqual({ batchItemFailures: [] });
    const scheduled = { source: "aws.events", "detail-type": "Scheduled Event" };
    expect(await handler(scheduled, context)).toEqual({ batchItemFailures: [] });
    await expect(handler({ hello: 1 }, context)).rejects.toThrow("event-unknown");
  });
});
