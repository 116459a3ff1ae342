import type { Micros } from "./event-time.js";

const UNITS = [
  ["day", 86_400_000_000],
  ["hour", 3_600_000_000],
  ["minute", 60_000_000],
  ["second", 1_000_000],
  ["millisecond", 1000],
  ["microsecond", 1],
] as const;

/** An interval that `parseDuration` reads back: `1 hour 30 minutes`, `-5 seconds`, `0 seconds`. */
export function durationText(micros: Micros): string {
  if (micros === 0) return "0 seconds";
  const sign = micros < 0 ? "-" : "";
  let rest = Math.abs(micros);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const n = Math.floor(rest / size);
    rest -= n * size;
    if (n > 0) parts.push(`${sign}${n} ${unit}${n === 1 ? "" : "s"}`);
  }
  return parts.join(" ");
}
