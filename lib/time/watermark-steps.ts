import type { EventTime } from "./event-time.js";

/** A running maximum as it grew: highest event time among records that arrived up to `arrival`. At most 32, ascending. */
export interface WatermarkStep {
  readonly arrival: number;
  readonly maxEventTime: EventTime;
}
