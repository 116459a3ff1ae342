import { PutRecordCommand, SplitShardCommand } from "@aws-sdk/client-kinesis";
import { beforeAll, expect, it } from "vitest";
import { outputReader } from "../../demo/outputs.js";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { columns, count, kinesis, readStream, s3, string, timestamp, window } from "../../lib/index.js";
import { ENVIRONMENT } from "../../lib/lambda/environment.js";
import { queryHandler } from "../../lib/lambda.js";
import { deployQuery } from "../../lib/local/deployment.js";
import { functionPool } from "../../lib/local/function-pool.js";
import { inProcessEnvironment } from "../../lib/local/lambda-environment.js";
import { deployedStack } from "./deployed-stack.js";

const Click = columns({ at: timestamp(), user: string() });
const clicks = readStream(kinesis({ stream: "clicks", schema: Click }))
  .withWatermark("at", "1 minute")
  .groupBy(window("at", "1 minute"), "user")
  .agg({ n: count() })
  .writeStream({ queryName: "clicks", outputMode: "append", sink: s3(), options: { statePartitions: 4 } });

const deployed = deployedStack();
beforeAll(async () => {
  await deployed.stack.createStream("clicks", 1);
  await deployed.stack.createStream("clicks-shuffle", 2);
  process.env[ENVIRONMENT.shuffleStream] = "clicks-shuffle";
});

const USERS = Array.from({ length: 20 }, (_, at) => `user-${at}`);
const minute = (at: number) => new Date(1_700_000_000_000 - (1_700_000_000_000 % 60_000) + at * 60_000).toISOString();

it("a function over both its streams counts every row once, in one partition each, over a reshard of either", async () => {
  const { stack } = deployed;
  const { kinesis: client } = stack.clients;
  const deployment = await deployQuery({
    stack,
    name: "clicks",
    streams: ["clicks"],
    shuffleStream: "clicks-shuffle",
    function: functionPool(() => inProcessEnvironment(queryHandler(clicks) as never)),
    mapping: { pollMs: 5, backoffMs: 1 },
    tickMs: 0,
  });
  const put = async (at: number) => {
    for (const user of USERS)
      await client.send(
        new PutRecordCommand({
          StreamName: "clicks",
          PartitionKey: user,
          Data: Buffer.from(JSON.stringify({ at: minute(at), user })),
        }),
      );
  };
  const split = (StreamName: string, hashKey: bigint) =>
    client.send(
      new SplitShardCommand({ StreamName, ShardToSplit: "shardId-000000000000", NewStartingHashKey: String(hashKey) }),
    );
  await put(0);
  await deployment.whenCaughtUp();
  await split("clicks", 2n ** 127n);
  await split("clicks-shuffle", 2n ** 126n);
  await put(0);
  await put(1);
  await deployment.whenCaughtUp();
  await deployment.tick();
  await put(5);
  await deployment.whenCaughtUp();
  await deployment.drain();
  await deployment.whenCaughtUp();
  await deployment.stop();

  const rows = await outputReader(s3ObjectStore(stack.clients.s3, "results")).newRows("clicks/");
  const text = ({ window: of, user, n }: Record<string, unknown>) =>
    `${new Date((of as { start: string }).start).toISOString()} ${user} ${n}`;
  const expected = [
    [minute(0), 2],
    [minute(1), 1],
    [minute(5), 1],
  ].flatMap(([start, n]) => USERS.map((user) => `${start} ${user} ${n}`));
  expect(rows.map(text).sort()).toEqual(expected.sort());
  // From the logs of all partitions.
  const keys: string[] = [];
  for await (const { key } of s3ObjectStore(stack.clients.s3, "results").list("clicks/")) keys.push(key);
  const partitions = new Set(keys.map((key) => /\/(\d{4})-\d+\.jsonl/.exec(key)![1]));
  expect([...partitions].sort()).toEqual(["0000", "0001", "0002", "0003"]);
});
