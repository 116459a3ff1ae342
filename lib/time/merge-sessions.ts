import type { Micros } from "./event-time.js";

/** `[start, end)` in microseconds: a row alone is `[t, t + gap)`. */
export interface SessionInterval {
  readonly start: Micros;
  readonly end: Micros;
}

/** A session and what it was merged from, in order of start; equal starts keep the order in which they were given. */
export interface MergedSession<Member extends SessionInterval> extends SessionInterval {
  readonly members: readonly Member[];
}

/**
 * Merges while `next.start <= end`, inclusive: rows exactly one gap apart are one session (SEMANTICS D1).
 * The end is the latest of the ends, so a short gap inside a long session does not shorten it. O(n log n).
 */
export function mergeSessions<Member extends SessionInterval>(intervals: readonly Member[]): MergedSession<Member>[] {
  const ordered = [...intervals].sort((a, b) => a.start - b.start);
  const sessions: { start: Micros; end: Micros; members: Member[] }[] = [];
  for (const interval of ordered) {
    const open = sessions.at(-1);
    if (open !== undefined && interval.start <= open.end) {
      open.end = Math.max(open.end, interval.end);
      open.members.push(interval);
    } else {
      sessions.push({ start: interval.start, end: interval.end, members: [interval] });
    }
  }
  return sessions;
}
