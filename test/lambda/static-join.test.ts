import { gzipSync } from "node:zlib";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { PutRecordsCommand } from "@aws-sdk/client-kinesis";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import type { Context } from "aws-lambda";
import { afterAll, beforeAll, expect, it } from "vitest";
import { outputReader } from "../../demo/outputs.js";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import {
  columns,
  count,
  kinesis,
  long,
  readStream,
  readTable,
  s3,
  string,
  sum,
  timestamp,
  window,
} from "../../lib/index.js";
import { type QueryHandler, queryHandler } from "../../lib/lambda.js";
import {
  type EventSourceMapping,
  startEventSourceMapping,
} from "../../lib/local/event-source-mapping/event-source-mapping.js";
import { deployedStack } from "./deployed-stack.js";

const pages = readTable({
  name: "pages",
  schema: columns({ page: string(), section: string() }),
  s3: { key: "tables/pages.jsonl.gz" },
});
const prices = readTable({
  name: "prices",
  schema: columns({ section: string(), cents: long() }),
  dynamodb: { table: "prices" },
});

/** Earnings per section and 5 minutes: the page's section from S3, the section's price from DynamoDB. */
const earnings = readStream(
  kinesis({
    stream: "views",
    schema: columns({ eventTime: timestamp(), page: string() }),
    maxFutureSkew: false,
  }),
)
  .withWatermark("eventTime", "10 minutes")
  .join(pages, { type: "leftOuter", using: ["page"] })
  .join(prices, { type: "leftOuter", using: ["section"] })
  .groupBy(window("eventTime", "5 minutes"), "section")
  .agg({ views: count(), cents: sum("cents") })
  .writeStream({ queryName: "earnings", outputMode: "append", sink: s3() });

const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: "1" } as Context;
const deployed = deployedStack();
let handler: QueryHandler;
let mapping: EventSourceMapping;

const putPages = (...rows: readonly object[]) =>
  deployed.stack.clients.s3.send(
    new PutObjectCommand({
      Bucket: "results",
      Key: "tables/pages.jsonl.gz",
      Body: gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join("")),
    }),
  );

const putPrice = (section: string, cents: number) =>
  deployed.stack.clients.dynamodb.send(
    new PutItemCommand({ TableName: "prices", Item: { section: { S: section }, cents: { N: String(cents) } } }),
  );

const time = (text: string) => `2024-03-01T${text}:00Z`;

async function view(...views: readonly (readonly [at: string, page: string])[]): Promise<void> {
  const records = views.map(([at, page]) => ({
    PartitionKey: page,
    Data: new TextEncoder().encode(JSON.stringify({ eventTime: time(at), page })),
  }));
  await deployed.stack.clients.kinesis.send(new PutRecordsCommand({ StreamName: "views", Records: records }));
  await mapping.whenCaughtUp();
}

const written = async () =>
  (await outputReader(s3ObjectStore(deployed.stack.clients.s3, "results")).newRows("earnings/"))
    .map(({ window: of, section, views, cents }) => [(of as { start: string }).start, section, views, cents])
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

beforeAll(async () => {
  const { stack } = deployed;
  await stack.createStream("views", 2);
  await stack.createTable("prices", [{ name: "section", type: "S" }]);
  await putPages({ page: "/", section: "home" }, { page: "/docs", section: "docs" }, { page: "/api", section: "docs" });
  await putPrice("home", 5);
  await putPrice("docs", 2);
  handler = queryHandler(earnings) as QueryHandler;
  mapping = await startEventSourceMapping({
    kinesis: stack.clients.kinesis,
    streamName: "views",
    invoke: (event: unknown) => handler(event, context),
  } as never);
});

afterAll(() => mapping?.stop());

it("joins a stream with a table in S3 and one in DynamoDB, as a deployed function reads them", async () => {
  await view(["12:01", "/"], ["12:02", "/docs"], ["12:03", "/api"], ["12:03", "/none"]);
  // A changed table is seen by the environments that begin after the change, and by no other.
  await putPages({ page: "/", section: "start" });
  await putPrice("start", 100);
  await view(["12:04", "/"]);
  handler = queryHandler(earnings) as QueryHandler;
  await view(["12:04", "/"], ["12:04", "/docs"]);
  await view(...["/", "/docs", "/api", "/none", "/1", "/2", "/3"].map((page) => ["12:40", page] as const));
  await handler({ tidemark: "drain" }, context);
  expect((await written()).filter(([start]) => start === time("12:00"))).toEqual(
    [
      [time("12:00"), "docs", 2, 4],
      [time("12:00"), "home", 2, 10],
      [time("12:00"), "start", 1, 100],
      [time("12:00"), null, 2, null],
    ].toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
  );
});

it("stops with the table's name where one is missing, and goes on once it is there", async () => {
  const sections = readTable({
    name: "sections",
    schema: columns({ page: string() }),
    s3: { key: "tables/sections.jsonl" },
  });
  const query = readStream(kinesis({ stream: "views", schema: columns({ page: string() }) }))
    .join(sections, { using: ["page"] })
    .writeStream({ queryName: "known-pages", outputMode: "append", sink: s3() });
  const known = queryHandler(query) as QueryHandler;
  const tick = () => known({ tidemark: "tick" }, context);
  await expect(tick()).rejects.toThrow('[table-missing] The table "sections" has no object tables/sections.jsonl');
  await deployed.stack.clients.s3.send(
    new PutObjectCommand({ Bucket: "results", Key: "tables/sections.jsonl", Body: '{"page":"/"}\n' }),
  );
  expect(await tick()).toEqual({ batchItemFailures: [] });
});
