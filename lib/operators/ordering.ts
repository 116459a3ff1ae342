import type { Window } from "../time/window.js";

/** -1, 0 or 1 by UTF-8 bytes, as Spark orders strings: UTF-16 units order surrogates below U+E000, bytes above it. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return byteRank(x) < byteRank(y) ? -1 : 1;
  }
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
}

const byteRank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x10000 : unit);

/** NaN equals NaN and is above everything, -0 equals 0, and number and bigint compare by value (exactly, unlike a conversion). */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(isNaNValue(a)) - Number(isNaNValue(b));
}

const isNaNValue = (value: number | bigint): boolean => Number.isNaN(value);

const isNumber = (value: unknown): value is number | bigint => typeof value === "number" || typeof value === "bigint";

/** Rank of kinds where a json column mixes them. */
const kindOf = (value: unknown): number =>
  typeof value === "boolean" ? 0 : isNumber(value) ? 1 : typeof value === "string" ? 2 : value instanceof Date ? 3 : 4;

/** A total order over values that are not NULL. */
export function compareValues(a: unknown, b: unknown): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  const kind = kindOf(a);
  const other = kindOf(b);
  if (kind !== other) return kind - other;
  if (kind === 0) return Number(a) - Number(b);
  if (kind === 3) return (a as Date).getTime() - (b as Date).getTime();
  return compareNested(a as object, b as object);
}

function compareNested(a: object, b: object): number {
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const order = compareNullable(a[i], b[i]);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
  if ("start" in a && "end" in a) {
    const [x, y] = [a as Window, b as Window];
    return compareNullable(x.start, y.start) || compareNullable(x.end, y.end);
  }
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  for (const name of names) {
    const order = compareNullable((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]);
    if (order !== 0) return order;
  }
  return 0;
}

/** NULL first. */
export function compareNullable(a: unknown, b: unknown): number {
  const aIsNull = a === null || a === undefined;
  const bIsNull = b === null || b === undefined;
  if (aIsNull || bIsNull) return aIsNull === bIsNull ? 0 : aIsNull ? -1 : 1;
  return compareValues(a, b);
}

/** SQL equality of values that are not NULL. */
export const equalValues = (a: unknown, b: unknown): boolean => a === b || compareValues(a, b) === 0;
