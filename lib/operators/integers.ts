export const LONG_MAX = 2n ** 63n - 1n;
export const LONG_MIN = -(2n ** 63n);

/** A long as it travels: number while safe, bigint beyond (DATA.md section 3). */
export const longValue = (value: bigint): number | bigint =>
  value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;

export const isIntegral = (value: unknown): value is number | bigint =>
  typeof value === "bigint" || Number.isSafeInteger(value);
