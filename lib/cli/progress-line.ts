import { shortDuration } from "../time/short-duration.js";

interface Pace {
  readonly records: number;
  readonly seconds: number;
  /** Of the bytes to read, 0 to 1, and where this run began; null: nobody knows. */
  readonly share: number | null;
  readonly startShare: number;
}

/** `42 %, 310,000 records/s, 1m 20s left`: what of a run is done, how fast, and how long the rest takes at that pace. */
export function progressLine({ records, seconds, share, startShare }: Pace): string {
  const rate = seconds > 0 ? `${Math.round(records / seconds).toLocaleString("en")} records/s` : "";
  if (share === null) return rate;
  const done = share - startShare;
  const left = done > 0 ? (seconds * Math.max(0, 1 - share)) / done : null;
  const rest = left === null || seconds < 1 ? "" : `${shortDuration(Math.ceil(left) * 1000)} left`;
  return [`${Math.floor(Math.min(1, share) * 100)} %`, rate, rest].filter((part) => part !== "").join(", ");
}
