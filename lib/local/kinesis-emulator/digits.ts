/** Order of decimal numbers of any length without leading zeros. */
export function compareDigits(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

const HASH_SPACE = 1n << 128n;

/** Hash keys are held as 32 hexadecimal digits, so that a digest and a range compare as strings. */
export const toHex = (hashKey: bigint): string => hashKey.toString(16).padStart(32, "0");
export const toDecimal = (hex: string): string => BigInt(`0x${hex}`).toString();
export const hexBelow = (hex: string): string => toHex(BigInt(`0x${hex}`) - 1n);
export const hexAbove = (hex: string): string => toHex(BigInt(`0x${hex}`) + 1n);

/** Where range `index` of `count` equal ones begins. */
export const rangeStart = (index: number, count: number): bigint => (HASH_SPACE * BigInt(index)) / BigInt(count);
export const HIGHEST_HASH_KEY = toHex(HASH_SPACE - 1n);
