import type { Row } from "../../plan/schema.js";
import type { EventTime, Watermark } from "../../time/event-time.js";

/**
 * User code over keyed state, by the rules of Spark's transformWithState (SEMANTICS J4–J6).
 *
 * In every pass: initial state (the first pass only), then one `handleInputRows` per key that has rows, with all of them in
 * arrival order, then one `handleExpiredTimer` per timer that is due. A processor must remember nothing of its own between
 * calls: what is to last goes into state. It must not read a clock: `TimerValues` has both times.
 *
 * @example
 * class Sightings implements StatefulProcessor<{ userId: string }, Row, { userId: string; seen: number }> {
 *   private seen!: ValueState<number>;
 *   init(handle: StatefulProcessorHandle) {
 *     this.seen = handle.getValueState<number>("seen");
 *   }
 *   *handleInputRows(key: { userId: string }, rows: readonly Row[]) {
 *     const seen = (this.seen.get() ?? 0) + rows.length;
 *     this.seen.update(seen);
 *     yield { ...key, seen };
 *   }
 * }
 */
export interface StatefulProcessor<
  Key extends Row = Row,
  In extends Row = Row,
  Out extends Row = Row,
  Initial = never,
> {
  /** Once per cold start, before any row: get every state variable here. */
  init(handle: StatefulProcessorHandle): void;
  handleInputRows(key: Key, rows: readonly In[], timers: TimerValues): Iterable<Out>;
  handleExpiredTimer?(key: Key, timers: TimerValues, expired: ExpiredTimerInfo): Iterable<Out>;
  /** State to begin with, taken over once, in the query's first pass. */
  readonly initialState?: Iterable<InitialState<Key, Initial>>;
  handleInitialState?(key: Key, initial: Initial, timers: TimerValues): void;
}

export interface InitialState<Key, Initial> {
  readonly key: Key;
  readonly value: Initial;
}

/** Each running copy of a query makes a processor of its own. */
export type ProcessorFactory<
  Key extends Row = Row,
  In extends Row = Row,
  Out extends Row = Row,
  Initial = never,
> = () => StatefulProcessor<Key, In, Out, Initial>;

export interface StatefulProcessorHandle {
  /** Names are unique within the processor and identify the stored state for ever. Only within `init`, else `state-outside-init`. */
  getValueState<T>(name: string, options?: StateVariableOptions): ValueState<T>;
  getListState<T>(name: string, options?: StateVariableOptions): ListState<T>;
  getMapState<K, V>(name: string, options?: StateVariableOptions): MapState<K, V>;
  /**
   * For the key of the running call. `expiryTimeMs` is epoch ms of event time or processing time, after the operator's time mode.
   * It may lie in the past: then it fires at the end of this pass. Registering a timer again changes nothing.
   */
  registerTimer(expiryTimeMs: EventTime): void;
  /** No error if there is none. */
  deleteTimer(expiryTimeMs: EventTime): void;
  /** Of this key, ascending. */
  listTimers(): readonly EventTime[];
}

export interface StateVariableOptions {
  /** Processing time, ms: a value (an element, an entry) is gone this long after it was last written. */
  readonly ttlMs?: number;
}

export interface ValueState<T> {
  exists(): boolean;
  /** A copy: changing it changes nothing that is stored. Null if there is none. */
  get(): T | null;
  update(value: T): void;
  clear(): void;
}

export interface ListState<T> {
  exists(): boolean;
  /** In order of appending; copies. */
  get(): T[];
  /** Replaces the list. */
  put(values: Iterable<T>): void;
  appendValue(value: T): void;
  appendList(values: Iterable<T>): void;
  clear(): void;
}

/** Keys are compared by value: a plain object may be one. */
export interface MapState<K, V> {
  exists(): boolean;
  containsKey(key: K): boolean;
  getValue(key: K): V | null;
  updateValue(key: K, value: V): void;
  removeKey(key: K): void;
  /** In order of first insertion; copies. */
  entries(): [K, V][];
  keys(): K[];
  values(): V[];
  clear(): void;
}

export interface TimerValues {
  /** Epoch ms; null before the first watermark. Timers at or before it are due. */
  getCurrentWatermarkInMs(): Watermark | null;
  /** Epoch ms, the same in every call of one micro-batch, never going back. */
  getCurrentProcessingTimeInMs(): number;
}

export interface ExpiredTimerInfo {
  getExpiryTimeInMs(): EventTime;
}
