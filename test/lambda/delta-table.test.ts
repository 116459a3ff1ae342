import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PutRecordsCommand } from "@aws-sdk/client-kinesis";
import type { Context } from "aws-lambda";
import { afterAll, beforeAll, expect, it } from "vitest";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { columns, delta, dynamodb, kinesis, long, readStream, string, timestamp } from "../../lib/index.js";
import { type QueryHandler, queryHandler } from "../../lib/lambda.js";
import {
  type EventSourceMapping,
  startEventSourceMapping,
} from "../../lib/local/event-source-mapping/event-source-mapping.js";
import { readDataFile } from "../../lib/sinks/delta/data-file.js";
import { s3LogStore } from "../../lib/sinks/delta/s3-log-store.js";
import { readSnapshot } from "../../lib/sinks/delta/snapshot.js";
import { deployedStack } from "./deployed-stack.js";

/** `pip install deltalake pyarrow`; without it the last test is skipped. */
const PYTHON = process.env["PYTHON"] ?? "python3";
const ROOT = "tables/clicks/";

const Click = columns({ clickedAt: timestamp(), ad: string(), cents: long() });
/** Clicks to a Delta table, and the newest of each ad to DynamoDB. */
const clicks = readStream(kinesis({ stream: "clicks", schema: Click })).writeStream({
  queryName: "clicks",
  outputMode: "append",
  sinks: {
    lake: delta({ path: "tables/clicks", partitionBy: ["ad"] }),
    latest: dynamodb({ table: "latest", key: ["ad"] }),
  },
});

const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: "1" } as Context;
const deployed = deployedStack();
let mapping: EventSourceMapping;

beforeAll(async () => {
  const { stack } = deployed;
  await stack.createStream("clicks", 2);
  await stack.createTable("latest", [{ name: "ad", type: "S" }]);
  const handler = queryHandler(clicks) as QueryHandler;
  mapping = await startEventSourceMapping({
    kinesis: stack.clients.kinesis,
    streamName: "clicks",
    invoke: (event: unknown) => handler(event, context),
  } as never);
  for (const ads of [
    ["a", "b", "a"],
    ["c", "a"],
  ]) {
    const records = ads.map((ad, at) => ({
      PartitionKey: ad,
      Data: new TextEncoder().encode(JSON.stringify({ clickedAt: `2024-03-01T12:00:0${at}Z`, ad, cents: at })),
    }));
    await stack.clients.kinesis.send(new PutRecordsCommand({ StreamName: "clicks", Records: records }));
    await mapping.whenCaughtUp();
  }
});

afterAll(() => mapping?.stop());

it("clicks land in a Delta table, as a deployed query writes them, each once", async () => {
  const { s3 } = deployed.stack.clients;
  const store = s3LogStore(s3, "results", s3ObjectStore(s3, "results"));
  const rows: unknown[] = [];
  for (const { path, partitionValues } of (await readSnapshot(store, ROOT)).files.values())
    for (const row of await readDataFile((await store.get(`${ROOT}${path}`))!))
      rows.push([partitionValues["ad"], Number(row["cents"])]);
  expect(rows.map(String).sort()).toEqual(["a,0", "a,1", "a,2", "b,1", "c,0"]);
});

it("and are read there by delta-rs", async ({ skip }) => {
  if (spawnSync(PYTHON, ["-c", "import deltalake, pyarrow"]).status !== 0) skip(`no deltalake for ${PYTHON}`);
  const folder = await mkdtemp(join(tmpdir(), "clicks-"));
  try {
    const objects = s3ObjectStore(deployed.stack.clients.s3, "results");
    for await (const { key } of objects.list(ROOT)) {
      const path = join(folder, key.slice(ROOT.length));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, (await objects.get(key))!);
    }
    const script = join(import.meta.dirname, "../sinks/delta/read-delta.py");
    const { stdout, stderr } = spawnSync(PYTHON, [script, "deltalake", folder], { encoding: "utf8", timeout: 55_000 });
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { ad: string; cents: number });
    expect(lines.map(({ ad, cents }) => `${ad},${cents}`).sort(), stderr).toEqual(["a,0", "a,1", "a,2", "b,1", "c,0"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
