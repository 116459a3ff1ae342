import { randomUUID } from "node:crypto";
import { arrivalOf, type DeliveredRecord, sequenceOf } from "./event-record.js";

export type DiscardReason = "RetryAttemptsExhausted" | "RecordAgeExceeded";

/** What the on-failure destination gets: where the records lie, not the records. */
export interface FailureRecord {
  readonly requestContext: {
    readonly requestId: string;
    readonly functionArn: string;
    readonly condition: DiscardReason;
    readonly approximateInvokeCount: number;
  };
  /** Absent where the records were never sent to the function. */
  readonly responseContext?: {
    readonly statusCode: 200;
    readonly executedVersion: string;
    readonly functionError?: "Unhandled";
  };
  readonly version: "1.0";
  readonly timestamp: string;
  readonly KinesisBatchInfo: {
    readonly shardId: string;
    readonly startSequenceNumber: string;
    readonly endSequenceNumber: string;
    readonly approximateArrivalOfFirstRecord: string;
    readonly approximateArrivalOfLastRecord: string;
    readonly batchSize: number;
    readonly streamArn: string;
  };
}

interface Discard {
  readonly records: readonly DeliveredRecord[];
  readonly reason: DiscardReason;
  readonly invokeCount: number;
  /** Whether the last invocation threw, rather than reported. */
  readonly threw: boolean;
  readonly functionArn: string;
  /** Epoch ms. */
  readonly now: number;
}

export function failureRecord({ records, reason, invokeCount, threw, functionArn, now }: Discard): FailureRecord {
  const first = records[0]!;
  const last = records.at(-1)!;
  const responseContext = {
    statusCode: 200 as const,
    executedVersion: "$LATEST",
    ...(threw ? { functionError: "Unhandled" as const } : {}),
  };
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn: `${functionArn}:$LATEST`,
      condition: reason,
      approximateInvokeCount: invokeCount,
    },
    ...(invokeCount > 0 ? { responseContext } : {}),
    version: "1.0",
    timestamp: new Date(now).toISOString(),
    KinesisBatchInfo: {
      shardId: first.eventID.slice(0, first.eventID.indexOf(":")),
      startSequenceNumber: sequenceOf(first),
      endSequenceNumber: sequenceOf(last),
      approximateArrivalOfFirstRecord: new Date(arrivalOf(first)).toISOString(),
      approximateArrivalOfLastRecord: new Date(arrivalOf(last)).toISOString(),
      batchSize: records.length,
      streamArn: first.eventSourceARN,
    },
  };
}
