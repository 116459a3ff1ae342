import type { Row } from "../../../lib/plan/schema.js";
import type { OutboxPart, PublishIdentity, Sink } from "../../../lib/sinks/sink.js";
import type { Network } from "../ports/network.js";
import type { Judge } from "../violation.js";
import { dynamoDbOutputs } from "./dynamodb-outputs.js";
import { foreachBatchOutputs } from "./foreach-batch-outputs.js";
import { kinesisOutputs } from "./kinesis-outputs.js";
import { s3Outputs } from "./s3-outputs.js";

export type ResultSink = "s3" | "dynamodb" | "kinesis" | "foreachBatch";

/** Where results end up, and what was seen of it: the world outside of the system. */
export interface Outputs {
  /** The real sink, as one environment has it. */
  sink(network: Network): Sink;
  /** Staged bytes as the rows of JSON lines. */
  rowsOf(part: OutboxPart): readonly Row[];
  /** What of a committed batch is not out; null: all of it is. */
  missing(identity: PublishIdentity, parts: readonly OutboxPart[]): string | null;
}

/** `key`: columns that tell the rows of a query apart. */
export function resultOutputs(kind: ResultSink, key: readonly string[], judge: Judge): Outputs {
  switch (kind) {
    case "dynamodb":
      return dynamoDbOutputs(key, judge);
    case "kinesis":
      return kinesisOutputs(judge);
    case "foreachBatch":
      return foreachBatchOutputs(judge);
    default:
      return s3Outputs(judge);
  }
}
