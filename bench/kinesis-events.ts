import type { KinesisStreamEvent } from "aws-lambda";
import { seededRandom } from "../lib/local/seeded-random.js";

const FIRST_SEQUENCE = 49590338271490256608559692538361571095921575989136588898n;

/** A genuine Lambda event of one shard: `count` page views of about 250 bytes, event times over ten minutes, out of order. */
export function kinesisEvent(
  seed: number,
  count: number,
  base: number,
  firstSequence = FIRST_SEQUENCE,
): KinesisStreamEvent {
  const random = seededRandom(seed);
  return {
    Records: Array.from({ length: count }, (_, i) => {
      const eventTime = base + Math.floor(random() * 600_000);
      const payload = {
        eventTime: new Date(eventTime).toISOString(),
        page: `/p/${Math.floor(random() * random() * 200)}`,
        userId: `u${Math.floor(random() * 5_000)}`,
        referrer: `https://example.org/search?q=${Math.floor(random() * 1e6)}`,
        durationMs: Math.floor(random() * 30_000),
        country: ["IT", "US", "DE", "FR"][Math.floor(random() * 4)],
        device: "mobile",
      };
      return {
        kinesis: {
          kinesisSchemaVersion: "1.0",
          partitionKey: payload.userId,
          sequenceNumber: String(firstSequence + BigInt(i)),
          data: Buffer.from(JSON.stringify(payload)).toString("base64"),
          approximateArrivalTimestamp: (base + 600_000 + i) / 1000,
        },
        eventSource: "aws:kinesis",
        eventVersion: "1.0",
        eventID: `shardId-000000000000:${firstSequence + BigInt(i)}`,
        eventName: "aws:kinesis:record",
        invokeIdentityArn: "arn:aws:iam::000000000000:role/bench",
        awsRegion: "us-east-1",
        eventSourceARN: "arn:aws:kinesis:us-east-1:000000000000:stream/page-views",
      };
    }),
  };
}
