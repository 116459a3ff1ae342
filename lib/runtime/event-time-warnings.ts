import { isoTime } from "../time/iso-time.js";

const BEFORE_EVENTS = Date.UTC(1990, 0, 1);
const TWO_YEARS_MS = 2 * 366 * 86_400_000;

/**
 * Event times before 1990, as seconds become where milliseconds are read, and those of years ahead of the clock, as milliseconds become where
 * seconds are read. Such rows are processed like any other: history is allowed, and only a person knows.
 * @param now epoch ms
 */
export function eventTimeWarnings(
  stats: { readonly min: number; readonly max: number } | null,
  now: number,
): readonly string[] {
  const warnings: string[] = [];
  if (stats !== null && stats.min < BEFORE_EVENTS)
    warnings.push(
      `Event times go back to ${isoTime(stats.min)}, before 1990: numbers that are seconds need timestamp("seconds").`,
    );
  if (stats !== null && stats.max > now + TWO_YEARS_MS)
    warnings.push(
      `Event times go up to ${isoTime(stats.max)}, years ahead of the clock: check the unit of numbers, and the sender's clock.`,
    );
  return warnings;
}
