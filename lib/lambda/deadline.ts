import type { Deadline } from "../runtime/ports.js";

const SHARE = 0.25;
const MOST_MS = 30_000;

/** The reserve is measured against the time that the invocation began with, not against what is left of it later. */
export function deadlineOf(now: number, remainingMs: number, reserveMs: number | null): Deadline {
  return { at: now + remainingMs, reserveMs: reserveMs ?? Math.min(MOST_MS, remainingMs * SHARE) };
}
