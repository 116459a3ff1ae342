import { GetRecordsCommand, GetShardIteratorCommand, ListShardsCommand } from "@aws-sdk/client-kinesis";
import { beforeAll, describe, expect, it } from "vitest";
import { ENVIRONMENT } from "../../lib/lambda/environment.js";
import { heartbeatHandler } from "../../lib/lambda/heartbeat-handler.js";
import { heartbeatOf } from "../../lib/sources/heartbeat.js";
import { deployedStack } from "./deployed-stack.js";

describe("the heartbeat", () => {
  const deployed = deployedStack();

  beforeAll(async () => {
    await deployed.stack.createStream("views", 3);
    process.env[ENVIRONMENT.heartbeatStreams] = "views";
  });

  const recordsOf = async (ShardId: string) => {
    const at = { StreamName: "views", ShardId, ShardIteratorType: "TRIM_HORIZON" } as const;
    const { ShardIterator } = await deployed.stack.clients.kinesis.send(new GetShardIteratorCommand(at));
    const { Records } = await deployed.stack.clients.kinesis.send(new GetRecordsCommand({ ShardIterator }));
    return Records!;
  };

  it("beats once in every open shard, with the time of the clock", async () => {
    const start = Date.now();
    expect(await heartbeatHandler()()).toEqual({ shards: 3 });
    const { Shards } = await deployed.stack.clients.kinesis.send(new ListShardsCommand({ StreamName: "views" }));
    for (const { ShardId } of Shards!) {
      const [record, ...others] = await recordsOf(ShardId!);
      expect(others).toEqual([]);
      expect(heartbeatOf({ data: record!.Data! })).toBeGreaterThanOrEqual(start);
    }
  });

  it("says which variable it misses", async () => {
    delete process.env[ENVIRONMENT.heartbeatStreams];
    await expect(heartbeatHandler()()).rejects.toThrow(ENVIRONMENT.heartbeatStreams);
  });
});
