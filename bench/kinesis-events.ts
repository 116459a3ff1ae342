import type { KinesisStreamEvent } from "aws-lambda";
import { seededRandom } from "../lib/local/seeded-random.js";

const FIRST_SEQUENCE = 49590338271490256608559692538361571095921575989136588898n;
export const BASE = 1_700_000_000_000;
/** Half a window: each round's rows are new windows and old ones in equal parts. */
const STEP_MS = 150_000;
const SPREAD_MS = 600_000;

/** The event of one round: its numbers and times go on where the round before ended. Same round, same event. */
export function kinesisEvent(round: number, count: number, pages: number): KinesisStreamEvent {
  const random = seededRandom(round);
  const base = BASE + round * STEP_MS;
  const first = FIRST_SEQUENCE + BigInt(round * count);
  return {
    Records: Array.from({ length: count }, (_, i) => {
      const eventTime = base + Math.floor(random() * SPREAD_MS);
      const payload = {
        eventTime: new Date(eventTime).toISOString(),
        page: `/p/${Math.floor(random() * random() * pages)}`,
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
          sequenceNumber: String(first + BigInt(i)),
          data: Buffer.from(JSON.stringify(payload)).toString("base64"),
          approximateArrivalTimestamp: (base + SPREAD_MS + i) / 1000,
        },
        eventSource: "aws:kinesis",
        eventVersion: "1.0",
        eventID: `shardId-000000000000:${first + BigInt(i)}`,
        eventName: "aws:kinesis:record",
        invokeIdentityArn: "arn:aws:iam::000000000000:role/bench",
        awsRegion: "us-east-1",
        eventSourceARN: "arn:aws:kinesis:us-east-1:000000000000:stream/page-views",
      };
    }),
  };
}
