import type { Row } from "../../plan/schema.js";
import type { EventTime, Watermark } from "../../time/event-time.js";

/**
 * User code over one state per key: Spark's flatMapGroupsWithState (SEMANTICS J1–J3). Called once per key with all its rows of the pass,
 * then once, without rows and with `hasTimedOut`, for each other key whose timeout lies strictly before the watermark (or processing time).
 * Every call clears the timeout unless it sets one again.
 *
 * @example
 * const count: GroupFunction<{ userId: string }, Row, { userId: string; n: number }, number> = function* (key, rows, state) {
 *   const n = (state.getOption() ?? 0) + rows.length;
 *   state.update(n);
 *   yield { ...key, n };
 * };
 */
export type GroupFunction<Key extends Row = Row, In extends Row = Row, Out extends Row = Row, State = unknown> = (
  key: Key,
  rows: readonly In[],
  state: GroupState<State>,
) => Iterable<Out>;

export interface GroupState<State> {
  readonly exists: boolean;
  readonly hasTimedOut: boolean;
  /** A copy. Throws `state-missing` where none exists. */
  get(): State;
  /** A copy, or null. */
  getOption(): State | null;
  update(value: State): void;
  remove(): void;
  /** Event-time mode only. Epoch ms; not later than the watermark throws `timeout-in-the-past`. */
  setTimeoutTimestamp(timestampMs: EventTime): void;
  /** Processing-time mode only. From the processing time of this micro-batch. */
  setTimeoutDuration(durationMs: number): void;
  /** Epoch ms; null before the first watermark. */
  getCurrentWatermarkMs(): Watermark | null;
  /** Epoch ms, the same in every call of one micro-batch. */
  getCurrentProcessingTimeMs(): number;
}
