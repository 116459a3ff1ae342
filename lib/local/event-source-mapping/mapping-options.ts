import type { KinesisClient } from "@aws-sdk/client-kinesis";
import type { PollClock } from "../poll-clock.js";
import type { DeliveredRecord } from "./event-record.js";
import type { FailureRecord } from "./failure-record.js";

export type Invoke = (event: { readonly Records: readonly DeliveredRecord[] }) => Promise<unknown>;

/** Names and defaults are those of Lambda's event source mapping, save where a unit is spelled out. */
export interface MappingSettings {
  /** 100 by default, at most 10,000. */
  readonly batchSize?: number;
  /** How long to gather records for a batch. 0 by default: whatever one read returns. */
  readonly batchingWindowMs?: number;
  /** Bytes of the event's JSON, 6 MB by default; a single larger record still goes alone. */
  readonly payloadBytes?: number;
  readonly startingPosition?: "TRIM_HORIZON" | "LATEST" | { readonly atTimestamp: Date };
  /** −1, the default: without end. */
  readonly maximumRetryAttempts?: number;
  /** −1, the default: without end. */
  readonly maximumRecordAgeMs?: number;
  readonly bisectBatchOnFunctionError?: boolean;
  /** Off by default, as in Lambda: then whatever the function returns is success. */
  readonly reportBatchItemFailures?: boolean;
  /** Between reads of a shard that had nothing; 100 by default, where Lambda takes 1,000. */
  readonly pollMs?: number;
  /** Before the first repeat; doubles up to 50 times itself. 100 by default. */
  readonly backoffMs?: number;
}

export interface MappingOptions extends MappingSettings {
  readonly kinesis: KinesisClient;
  readonly streamName: string;
  readonly invoke: Invoke;
  readonly functionName?: string;
  /** Discarded records are reported here; called again until it succeeds. */
  readonly onFailure?: (record: FailureRecord) => Promise<void> | void;
  /** Errors of polling, and of the destination: what the mapping itself survives. */
  readonly onError?: (error: unknown) => void;
  /** Keeps how far each shard was processed over restarts. */
  readonly checkpointPath?: string;
  readonly clock?: PollClock;
}

const LAMBDA_PAYLOAD_BYTES = 6 * 1024 * 1024;

export function settingsOf(options: MappingOptions) {
  return {
    batchSize: options.batchSize ?? 100,
    batchingWindowMs: options.batchingWindowMs ?? 0,
    payloadBytes: options.payloadBytes ?? LAMBDA_PAYLOAD_BYTES,
    startingPosition: options.startingPosition ?? "TRIM_HORIZON",
    maximumRetryAttempts: options.maximumRetryAttempts ?? -1,
    maximumRecordAgeMs: options.maximumRecordAgeMs ?? -1,
    bisectBatchOnFunctionError: options.bisectBatchOnFunctionError ?? false,
    reportBatchItemFailures: options.reportBatchItemFailures ?? false,
    pollMs: options.pollMs ?? 100,
    backoffMs: options.backoffMs ?? 100,
  };
}
