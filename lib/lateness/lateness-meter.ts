import { type EventTime, fromMicros, type Micros, toMicros } from "../time/event-time.js";
import { forEachWindowStart } from "../time/window.js";
import { histogramOf } from "./histogram.js";
import type { DelayCandidate, LatenessReport } from "./lateness-report.js";
import { firstFrom, NumberList } from "./number-list.js";
import { type Quantiles, quantilesOf } from "./quantiles.js";
import { windowGroups } from "./window-groups.js";

/** What tells the late rows of a query; of none, a row is late when the watermark has reached it. */
export interface LatenessOptions {
  /** The windows of its aggregation: a row is late when its last one is closed. */
  readonly window?: { readonly size: Micros; readonly slide: Micros; readonly offset: Micros };
  /** How long after its event time a row without windows is still taken: the gap of a session. */
  readonly slackMs?: number;
  /** As `lateRule` of the query. */
  readonly lateRule?: "state" | "event-time";
  /** Delays to weigh, in ms, beside those that the quantiles suggest. */
  readonly delays?: readonly number[];
  /** The share of rows to keep: 0.999 by default. */
  readonly keep?: number;
}

/**
 * Measures lateness as rows go by, and can say of any delay what it would have cost: the answers are those that the query itself
 * would have given over the same micro-batches. Memory: 24 bytes a row, and one entry a group.
 *
 * @example
 * const meter = latenessMeter();
 * for (const batch of batches) {
 *   for (const { at } of batch) meter.add(at);
 *   meter.endBatch();
 * }
 * console.log(meter.report().recommended);
 */
export interface LatenessMeter {
  /** A row as the watermark sees it, in order of arrival; times in epoch ms. */
  observe(eventTime: EventTime, arrival?: number | null): void;
  /** A row that reaches the stateful operator, with its group beside the window. */
  reach(eventTime: EventTime, key?: string): void;
  /** Both: where nothing is filtered out between the two. */
  add(eventTime: EventTime, arrival?: number | null, key?: string): void;
  /** The watermark moves here. */
  endBatch(): void;
  report(): LatenessReport;
}

export function latenessMeter(options: LatenessOptions = {}): LatenessMeter {
  const { window, slackMs = 0, lateRule = "state", keep = 0.999 } = options;
  const [seen, arrivals, excess] = [new NumberList(), new NumberList(), new NumberList()];
  const highestAfter = new NumberList();
  const groups = window === undefined || lateRule === "event-time" ? null : windowGroups();
  let highest = Number.NEGATIVE_INFINITY;
  let before = Number.NEGATIVE_INFINITY;
  let fresh = 0;

  /** A delay that is this long or shorter makes the row late. */
  function excessOf(eventTime: EventTime, key: string): number {
    if (window === undefined) return before - eventTime - slackMs;
    let last = Number.NEGATIVE_INFINITY;
    const { size, slide, offset } = window;
    forEachWindowStart(toMicros(eventTime), size, slide, offset, (start) => {
      const end = fromMicros(start + size);
      last = Math.max(last, end);
      groups?.add(end, key, highestAfter.length, before);
    });
    return lateRule === "state" ? before - last : Math.ceil(before - eventTime) - 1;
  }

  const candidate = (delay: number, late: Float64Array, tops: Float64Array): DelayCandidate => {
    const lateRows = late.length - firstFrom(late, delay);
    return {
      delay,
      lateRows,
      lateShare: late.length === 0 ? 0 : lateRows / late.length,
      lateGroups: groups?.losing(delay) ?? null,
      peakStateRows: groups?.peakRows(delay, tops) ?? null,
      latency: window === undefined ? null : window.size / 1000 + delay,
    };
  };

  const meter: LatenessMeter = {
    observe(eventTime, arrival = null) {
      highest = Math.max(highest, eventTime);
      seen.push(highest - eventTime);
      if (arrival !== null) arrivals.push(arrival - eventTime);
      fresh++;
    },
    reach(eventTime, key = "") {
      excess.push(excessOf(eventTime, key));
      fresh++;
    },
    add(eventTime, arrival, key) {
      meter.observe(eventTime, arrival);
      meter.reach(eventTime, key);
    },
    endBatch() {
      if (fresh === 0) return;
      fresh = 0;
      before = Math.floor(highest);
      highestAfter.push(before);
    },
    report() {
      meter.endBatch();
      const lateness = seen.sorted();
      const late = excess.sorted();
      const tops = highestAfter.sorted();
      const quantiles = quantilesOf(lateness);
      const recommended = late.length === 0 ? null : smallestKeeping(keep, late);
      const delays = [
        ...(options.delays ?? []),
        ...suggested(quantiles),
        ...(recommended === null ? [] : [recommended]),
      ];
      return {
        rows: lateness.length,
        batches: tops.length,
        quantiles,
        arrivalQuantiles: quantilesOf(arrivals.sorted()),
        histogram: histogramOf(lateness),
        candidates: [...new Set(delays)].sort((a, b) => a - b).map((delay) => candidate(delay, late, tops)),
        keep,
        recommended,
      };
    },
  };
  return meter;
}

/** One more row may be late than `keep` allows as soon as the delay reaches the highest excess that is not allowed for. */
function smallestKeeping(keep: number, late: Float64Array): number {
  const allowed = Math.floor((1 - keep) * late.length + 1e-9);
  const worst = late[late.length - 1 - allowed];
  return worst === undefined || worst < 0 ? 0 : rounded(Math.floor(worst) + 1);
}

const suggested = (quantiles: Quantiles | null): readonly number[] =>
  quantiles === null ? [0] : [0, ...Object.values(quantiles).map((ms: number) => rounded(ms))];

/** Up to what one would write: whole seconds, from a minute on whole minutes. */
const rounded = (ms: number): number => {
  const unit = ms > 60_000 ? 60_000 : 1_000;
  return Math.ceil(ms / unit) * unit;
};
