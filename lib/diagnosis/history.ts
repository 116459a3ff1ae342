import type { QueryProgress } from "../runtime/progress.js";

export const MINUTE = 60_000;

export const instantMs = (instant: string | null | undefined): number | null =>
  instant === null || instant === undefined ? null : Date.parse(instant);

export const at = ({ timestamp }: QueryProgress): number => Date.parse(timestamp);

export const total = (progress: readonly QueryProgress[], read: (each: QueryProgress) => number): number =>
  progress.reduce((sum, each) => sum + read(each), 0);

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

/** "12 min", "3.5 h": what a reader at night wants. */
export function span(ms: number): string {
  if (ms < 2 * MINUTE) return `${Math.round(ms / 1000)} s`;
  if (ms < 120 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
  const hours = ms / (60 * MINUTE);
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} days`;
}
