/** Bounds on one payload; what passes them goes to the malformed output as `too-large`, `too-deep` or `too-many-cells`. */
export interface DecodeLimits {
  /** Bytes of the payload, after decompression. 10 MiB, the most that a Kinesis record can hold. */
  readonly maxBytes: number;
  /** Nesting of objects and arrays inside a column. */
  readonly maxDepth: number;
  /** Cells of a row of CSV: as many columns as Spark reads by default. A header of more is refused. */
  readonly maxCells: number;
}

export const DEFAULT_LIMITS: DecodeLimits = Object.freeze({
  maxBytes: 10 * 1024 * 1024,
  maxDepth: 64,
  maxCells: 20_480,
});

/** Whether objects and arrays nest at most `depth` levels. Looks no deeper, so that hostile nesting cannot exhaust its own stack. */
export function within(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!within(item, depth - 1)) return false;
    return true;
  }
  for (const key in value) if (!within((value as Record<string, unknown>)[key], depth - 1)) return false;
  return true;
}
