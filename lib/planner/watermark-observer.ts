import type { Origins } from "../columns/column-batch.js";
import type { Vector } from "../columns/vector.js";
import type { EventTime } from "../time/event-time.js";
import { MAX_STEPS, mergeSteps, type WatermarkStep } from "../time/watermark-steps.js";
import type { EventTimeStats, Observation, SourceChunk } from "./physical-query.js";

/** What is being fed: of which source and shard, and when its records arrived. */
type Feed = Omit<SourceChunk, "batch"> & { readonly source: number };

interface Seen {
  readonly source: number;
  readonly shard: string;
  maxEventTime: EventTime;
  steps: readonly WatermarkStep[];
}

/** What one watermark node sees in one pass. */
export interface WatermarkObserver {
  beginPass(): void;
  feed(feed: Feed): void;
  /** In order; NULL: the row has no time. */
  observe(times: Vector, selection: Int32Array, origins: Origins | null): void;
  observations(node: number): readonly Observation[];
  /** Null: no row with a time was seen (SEMANTICS 0.6). */
  stats(): EventTimeStats | null;
  readonly ignored: number;
}

export function watermarkObserver(listener: ((eventTime: EventTime | null) => void) | null = null): WatermarkObserver {
  let seen = new Map<string, Seen>();
  let current: Seen | null = null;
  let feed: Feed;
  let ignored = 0;
  let count = 0;
  let avg = 0;
  let min = 0;
  let max = 0;

  /** Milliseconds floored, in arrival order (SEMANTICS A8). */
  function addToStats(eventTime: EventTime): void {
    const ms = Math.floor(eventTime);
    if (count === 0 || ms < min) min = ms;
    if (count === 0 || ms > max) max = ms;
    count++;
    avg += (ms - avg) / count;
  }

  function raise(eventTime: EventTime, arrival: number | null): void {
    if (current === null) {
      current = { source: feed.source, shard: feed.shard, maxEventTime: eventTime, steps: [] };
      seen.set(`${feed.source}/${feed.shard}`, current);
    } else if (eventTime <= current.maxEventTime) return;
    current.maxEventTime = eventTime;
    if (arrival === null) return;
    const steps = [...current.steps, { arrival, maxEventTime: eventTime }];
    current.steps = steps.length > 2 * MAX_STEPS ? mergeSteps([], steps, Number.NEGATIVE_INFINITY) : steps;
  }

  return {
    beginPass() {
      seen = new Map();
      current = null;
      ignored = 0;
      count = 0;
      avg = 0;
    },
    feed(next) {
      feed = next;
      current = seen.get(`${next.source}/${next.shard}`) ?? null;
    },
    observe(times, selection, origins) {
      const { arrivals, maxFutureSkewMs } = feed;
      for (let k = 0; k < selection.length; k++) {
        const row = selection[k]!;
        const eventTime = times.get(row) as EventTime | null;
        listener?.(eventTime);
        if (eventTime === null) continue;
        addToStats(eventTime);
        // A row of a stateful operator has no record: it arrived no later than the newest that was fed.
        const record = arrivals === null ? 0 : (origins?.record(row) ?? arrivals.length - 1);
        const arrival = arrivals?.[record] ?? null;
        if (arrival !== null && maxFutureSkewMs !== null && eventTime > arrival + maxFutureSkewMs) ignored++;
        else raise(eventTime, arrival);
      }
    },
    observations: (node) =>
      [...seen.values()].map(({ steps, ...rest }) => ({
        node,
        ...rest,
        steps: mergeSteps([], steps, Number.NEGATIVE_INFINITY),
      })),
    stats: () => (count === 0 ? null : { max, min, avg, count }),
    get ignored() {
      return ignored;
    },
  };
}
