/** In milliseconds. By nearest rank: each is a value that occurs, and at least that share of all is no higher. */
export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** Of ascending values; null of none. */
export function quantilesOf(sorted: Float64Array): Quantiles | null {
  if (sorted.length === 0) return null;
  // A share like 0.999 is no double: without the guard 0.999 × 1000 would ask for the 1000th of 1000.
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length - 1e-9) - 1)]!;
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), p999: at(0.999), max: sorted.at(-1)! };
}
