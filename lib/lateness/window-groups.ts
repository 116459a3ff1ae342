import type { EventTime } from "../time/event-time.js";
import { firstFrom } from "./number-list.js";

/** What a window with a key costs and loses, for any delay at all. */
interface WindowGroups {
  /** A row of a window that ends at `end` (epoch ms), in a batch before which the highest event time was `highest`. */
  add(end: EventTime, key: string, batch: number, highest: number): void;
  /** Groups that lose at least one row when the delay is this long. */
  losing(delayMs: number): number;
  /** The most state rows that stand at the end of a batch; `highestAfter` is the highest event time by batch. */
  peakRows(delayMs: number, highestAfter: Float64Array): number;
}

interface Group {
  readonly end: EventTime;
  readonly firstBatch: number;
  /** Highest event time before the first and the last batch that brought a row: −∞ before any. */
  readonly firstHighest: number;
  lastHighest: number;
}

/**
 * The watermark only rises, so a group's first row is its least late one: with a delay of d the group exists if d is more than that
 * row's `highest − end`, it loses rows if d is not more than the last one's, and it goes when `highest` reaches `end + d`.
 */
export function windowGroups(): WindowGroups {
  const byEnd = new Map<EventTime, Map<string, Group>>();
  const all: Group[] = [];
  return {
    add(end, key, batch, highest) {
      const groups = byEnd.get(end) ?? new Map<string, Group>();
      if (groups.size === 0) byEnd.set(end, groups);
      const group = groups.get(key);
      if (group !== undefined) {
        group.lastHighest = highest;
        return;
      }
      const added = { end, firstBatch: batch, firstHighest: highest, lastHighest: highest };
      groups.set(key, added);
      all.push(added);
    },
    losing: (delayMs) => all.reduce((sum, { end, lastHighest }) => sum + (lastHighest - end >= delayMs ? 1 : 0), 0),
    peakRows(delayMs, highestAfter) {
      const change = new Int32Array(highestAfter.length + 1);
      for (const { end, firstBatch, firstHighest } of all) {
        const gone = firstFrom(highestAfter, end + delayMs);
        if (firstHighest - end >= delayMs || gone <= firstBatch) continue;
        change[firstBatch]!++;
        change[gone]!--;
      }
      let [rows, peak] = [0, 0];
      for (const net of change) {
        rows += net;
        peak = Math.max(peak, rows);
      }
      return peak;
    },
  };
}
