import type { KinesisClient } from "@aws-sdk/client-kinesis";
import { heartbeatPayload } from "../sources/heartbeat.js";
import { lazyClients } from "./clients.js";
import { ENVIRONMENT, hasOwnEndpoints, required } from "./environment.js";

/**
 * Puts one heartbeat record into every open shard of the streams that the environment lists, stamped with the clock's time.
 * At least once: a repeat asserts the same or a later time, and the watermark never goes back.
 *
 * @returns how many shards it beat in
 * @example export const handler = heartbeatHandler();
 * @throws `environment-incomplete` without a list of streams
 */
export function heartbeatHandler(): () => Promise<{ readonly shards: number }> {
  return async () => {
    const streams = required(process.env, ENVIRONMENT.heartbeatStreams).split(",");
    const client = await lazyClients(hasOwnEndpoints(process.env)).kinesis();
    const time = new Date().toISOString();
    let shards = 0;
    for (const stream of streams) shards += await beat(client, stream, time);
    return { shards };
  };
}

async function beat(client: KinesisClient, stream: string, time: string): Promise<number> {
  const { ListShardsCommand, PutRecordCommand } = await import("@aws-sdk/client-kinesis");
  const ranges: string[] = [];
  for (let token: string | undefined, first = true; first || token !== undefined; first = false) {
    const page = await client.send(
      new ListShardsCommand(token === undefined ? { StreamName: stream } : { NextToken: token }),
    );
    for (const { HashKeyRange, SequenceNumberRange } of page.Shards ?? [])
      if (HashKeyRange?.StartingHashKey !== undefined && SequenceNumberRange?.EndingSequenceNumber === undefined)
        ranges.push(HashKeyRange.StartingHashKey);
    token = page.NextToken;
  }
  await Promise.all(
    ranges.map((ExplicitHashKey) =>
      client.send(
        new PutRecordCommand({
          StreamName: stream,
          PartitionKey: "tidemark:heartbeat",
          ExplicitHashKey,
          Data: heartbeatPayload(time),
        }),
      ),
    ),
  );
  return ranges.length;
}
