import { Buffer } from "node:buffer";
import { type KinesisClient, PutRecordsCommand } from "@aws-sdk/client-kinesis";

export interface SentRecord {
  readonly shard: string;
  readonly sequence: string;
  /** Null: no JSON. */
  readonly row: { readonly eventTime: number; readonly device: string; readonly value: number } | null;
}

export interface TrafficOptions {
  readonly client: KinesisClient;
  readonly stream: string;
  readonly minutes: number;
  readonly shards: number;
  readonly random: () => number;
}

/** Event time runs this much faster than the clock, so that windows of a minute close every few seconds. */
const SPEED = 10;
const PAUSE_MS = 200;
const RECORDS_PER_SHARD = 10;
const LATE_SHARE = 0.02;
const LATE_BY_MS = 600_000;
const MALFORMED_SHARE = 0.01;
const DEVICES = 20;

/** Sends until the time is up; resolves with all that was sent, as the service numbered it. */
export async function sendTraffic({ client, stream, minutes, shards, random }: TrafficOptions): Promise<SentRecord[]> {
  const begun = Date.now();
  const duration = minutes * 60_000;
  const firstEventTime = begun - duration * (SPEED - 1) - LATE_BY_MS;
  const sent: SentRecord[] = [];
  for (let elapsed = 0; elapsed < duration; elapsed = Date.now() - begun) {
    const rows = Array.from({ length: shards * RECORDS_PER_SHARD }, () => {
      if (random() < MALFORMED_SHARE) return null;
      const lateBy = random() < LATE_SHARE ? LATE_BY_MS : Math.floor(random() * 20_000);
      const eventTime = Math.floor(firstEventTime + elapsed * SPEED - lateBy);
      return { eventTime, device: `d${Math.floor(random() * DEVICES)}`, value: Math.floor(random() * 100) };
    });
    const { Records = [] } = await client.send(
      new PutRecordsCommand({
        StreamName: stream,
        Records: rows.map((row) => ({ PartitionKey: String(random()), Data: payloadOf(row) })),
      }),
    );
    Records.forEach(({ ShardId, SequenceNumber }, at) => {
      sent.push({ shard: ShardId!, sequence: SequenceNumber!, row: rows[at]! });
    });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return sent;
}

const payloadOf = (row: SentRecord["row"]): Uint8Array =>
  Buffer.from(row === null ? "{" : JSON.stringify({ ...row, eventTime: new Date(row.eventTime).toISOString() }));
