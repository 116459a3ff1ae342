import type { KinesisClient } from "@aws-sdk/client-kinesis";
import type { PollClock } from "../poll-clock.js";
import type { FailureRecord } from "./failure-record.js";
import type { Invoke, settingsOf } from "./mapping-options.js";
import type { ShardCheckpoints } from "./shard-checkpoints.js";

/** What the parts of one mapping share. */
export interface MappingWorld {
  readonly kinesis: KinesisClient;
  readonly streamName: string;
  readonly streamArn: string;
  readonly functionArn: string;
  readonly invoke: Invoke;
  readonly onFailure: (record: FailureRecord) => Promise<void> | void;
  readonly onError: (error: unknown) => void;
  readonly settings: ReturnType<typeof settingsOf>;
  readonly checkpoints: ShardCheckpoints;
  readonly clock: PollClock;
  readonly signal: AbortSignal;
}
