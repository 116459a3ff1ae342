const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** Milliseconds as short as `parseDuration` reads them back, to two units: `4h 15m`, `-1m`, `1s 500ms`, `0s`. What is smaller is cut. */
export function shortDuration(ms: number): string {
  let rest = Math.floor(Math.abs(ms));
  const first = UNITS.findIndex(([, size]) => rest >= size);
  if (first < 0) return "0s";
  const parts: string[] = [];
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const n = Math.floor(rest / size);
    rest -= n * size;
    if (n > 0) parts.push(`${ms < 0 ? "-" : ""}${n}${unit}`);
  }
  return parts.join(" ");
}
