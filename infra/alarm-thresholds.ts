import { Duration } from "aws-cdk-lib";

/** When a query's alarms ring. Each has a default that suits a stream which is never silent for long. */
export interface AlarmThresholds {
  /** How far the watermark may be behind the clock, beyond the query's longest delay. Default 1 hour; a stream that is silent at night needs more. */
  readonly watermarkLag?: Duration;
  /** How long what arrived may wait unread, and an input may be silent from the query's beginning on. Default 30 minutes. */
  readonly readThroughLag?: Duration;
  /** Late rows in 5 minutes. Default 10,000. */
  readonly lateRows?: number;
  /** Late rows as a share of the input, in percent, over 15 minutes. Default 1. */
  readonly lateShare?: number;
  /** By what factor the share of late rows may grow from one batch to the next ones. Default 5. */
  readonly lateStep?: number;
  /** Malformed records in 5 minutes. Default 0. */
  readonly malformedRows?: number;
  /** State bytes as a share of what the function may hold, in percent. Default 60. */
  readonly stateShare?: number;
  /** How much of its timeout a micro-batch may take, in percent. Default 80. */
  readonly timeoutShare?: number;
  /** Records that a partition of a Kafka topic may be behind, over 15 minutes. Default 100,000. */
  readonly offsetLag?: number;
  /** Lost races per micro-batch, on average over 15 minutes. Default 1. */
  readonly conflicts?: number;
}

export const DEFAULT_THRESHOLDS: Required<AlarmThresholds> = {
  watermarkLag: Duration.hours(1),
  readThroughLag: Duration.minutes(30),
  lateRows: 10_000,
  lateShare: 1,
  lateStep: 5,
  malformedRows: 0,
  stateShare: 60,
  timeoutShare: 80,
  offsetLag: 100_000,
  conflicts: 1,
};
