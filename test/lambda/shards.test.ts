import { setTimeout as wait } from "node:timers/promises";
import { DescribeStreamSummaryCommand, PutRecordCommand, SplitShardCommand } from "@aws-sdk/client-kinesis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { count } from "../../lib/api/aggregates.js";
import { columns, timestamp } from "../../lib/api/columns.js";
import { console as consoleOf, kinesis } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import { window } from "../../lib/api/window-functions.js";
import { ENVIRONMENT, readEnvironment } from "../../lib/lambda/environment.js";
import { openOnAws } from "../../lib/lambda/open-on-aws.js";
import {
  type EventSourceMapping,
  startEventSourceMapping,
} from "../../lib/local/event-source-mapping/event-source-mapping.js";
import { type Stack, startStack } from "../../lib/local/stack.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";
import type { StreamingQuery } from "../../lib/runtime/streaming-query.js";
import { kinesisDeliveries } from "../../lib/sources/kinesis-event.js";

const StreamName = "views";
const query = readStream(kinesis({ stream: StreamName, schema: columns({ t: timestamp() }), maxFutureSkew: false }))
  .withWatermark("t", "0 seconds")
  .groupBy(window("t", "1 minute"))
  .agg({ n: count() })
  .writeStream({ queryName: "shards", outputMode: "append", sink: consoleOf() });

const LOW = "0";
const HIGH = String(2n ** 127n);

describe("a stream of several shards", () => {
  let stack: Stack;
  let mapping: EventSourceMapping;
  let running: StreamingQuery;
  const progress: QueryProgress[] = [];
  const before = { ...process.env };

  beforeAll(async () => {
    stack = await startStack();
    await stack.createStream(StreamName, 2);
    await stack.createTable("checkpoints");
    await stack.createBucket("data");
    Object.assign(process.env, stack.variables);
    const environment = readEnvironment({
      ...process.env,
      [ENVIRONMENT.table]: "checkpoints",
      [ENVIRONMENT.bucket]: "data",
    });
    running = await openOnAws(query.definition, environment, {
      clock: { now: () => Date.now() },
      onProgress: (record) => progress.push(record),
    });
    mapping = await startEventSourceMapping({
      kinesis: stack.clients.kinesis,
      streamName: StreamName,
      pollMs: 10,
      invoke: inTurn(async (event) => {
        await running.processBatch(kinesisDeliveries(event as never, () => StreamName));
      }),
    });
  });

  afterAll(async () => {
    await mapping?.stop();
    await stack?.stop();
    process.env = before;
  });

  const put = async (ExplicitHashKey: string, ...times: string[]) => {
    for (const time of times) {
      const Data = new TextEncoder().encode(JSON.stringify({ t: `2024-03-01T${time}Z` }));
      await stack.clients.kinesis.send(new PutRecordCommand({ StreamName, PartitionKey: "k", ExplicitHashKey, Data }));
    }
    await mapping.whenCaughtUp();
  };
  const closed = () => progress.reduce((sum, { sink }) => sum + sink.numOutputRows, 0);
  const late = () => progress.reduce((sum, { numLateInputRows }) => sum + numLateInputRows, 0);

  /** A look counts up to a second before itself. */
  const tickUntil = async (reached: () => boolean) => {
    for (let tick = 0; tick < 50 && !reached(); tick++) {
      await wait(100);
      await running.tick();
    }
    expect(reached()).toBe(true);
  };

  it("waits for the silent one until a tick has seen that it is empty", async () => {
    await put(LOW, "12:00:10", "12:01:10");
    expect(closed()).toBe(0);
    expect(progress.at(-1)).toMatchObject({ heldBackBy: "views/shardId-000000000001" });
    await tickUntil(() => closed() === 1);
  });

  it("goes on over a split, one state for all, and takes no row for late that is not", async () => {
    const { kinesis: client } = stack.clients;
    const NewStartingHashKey = String(2n ** 126n);
    await client.send(new SplitShardCommand({ StreamName, ShardToSplit: "shardId-000000000000", NewStartingHashKey }));
    const summary = new DescribeStreamSummaryCommand({ StreamName });
    while ((await client.send(summary)).StreamDescriptionSummary!.StreamStatus !== "ACTIVE") await wait(10);
    await put(LOW, "12:01:20");
    await put(NewStartingHashKey, "12:01:30");
    await put(HIGH, "12:01:40");
    await put(LOW, "12:02:10");
    await tickUntil(() => closed() === 2);
    expect(late()).toBe(0);
    const recent = await running.recentProgress();
    expect(recent.at(-1)!.stateOperators[0]!.numRowsTotal).toBe(1);
  });
});

/** An environment runs one invocation at a time. */
function inTurn(invoke: (event: unknown) => Promise<void>): (event: unknown) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (event) => {
    last = last.then(() => invoke(event));
    return last;
  };
}
