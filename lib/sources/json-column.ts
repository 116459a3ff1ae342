import type { ReaderContext } from "./column-reader.js";
import { within } from "./decode-limits.js";
import { isBeyondSafe } from "./exact-integer.js";
import { ownMember } from "./own-member.js";

/** Integers with more digits are no numbers that anybody counts with, and BigInt takes its time over them. */
const MOST_DIGITS = 400;
const INTEGER = /^-?\d+$/;

/**
 * Any JSON value, integers exact as in a long column: `number` while safe, `bigint` beyond. A number written with a point or an exponent
 * is a double. Undefined where one is too large for a double, or the value nests too deep.
 */
export function readJsonColumn(value: unknown, exact: unknown, context: ReaderContext): unknown {
  const found = context.parsed ? look(value, context.maxDepth) : within(value, context.maxDepth) ? "fine" : "deep";
  if (found === "fine") return value;
  if (found === "deep") context.tooDeep = true;
  if (found !== "unsafe") return undefined;
  if (exact !== undefined) return restored(value, exact);
  context.rounded = true;
  return value;
}

type Found = "fine" | "unsafe" | "infinite" | "deep";

/** One walk for depth and numbers, no deeper than may be, so that hostile nesting cannot exhaust the stack. */
function look(value: unknown, depth: number): Found {
  if (typeof value === "number") return isBeyondSafe(value) ? "unsafe" : Number.isFinite(value) ? "fine" : "infinite";
  if (typeof value !== "object" || value === null) return "fine";
  if (depth === 0) return "deep";
  let found: Found = "fine";
  for (const key in value) {
    const member = look((value as Record<string, unknown>)[key], depth - 1);
    if (member === "deep" || member === "infinite") return member;
    if (member === "unsafe") found = member;
  }
  return found;
}

/**
 * Whether a value that JSON.parse made holds an integer other than was written. `exactOf` parses the text once more with the digits kept;
 * it is asked only where a number is so large.
 */
export function hasLostDigits(value: unknown, exactOf: () => unknown): boolean {
  const found = look(value, Number.POSITIVE_INFINITY);
  return found === "infinite" || (found === "unsafe" && differs(value, exactOf()));
}

function differs(value: unknown, exact: unknown): boolean {
  if (typeof value === "number")
    return (
      isBeyondSafe(value) && typeof exact === "string" && INTEGER.test(exact) && BigInt(value).toString() !== exact
    );
  if (typeof value !== "object" || value === null) return false;
  return Object.keys(value).some((key) => differs(ownMember(value, key), ownMember(exact, key)));
}

/** Undefined where an integer has too many digits. */
function restored(value: unknown, exact: unknown): unknown {
  if (typeof value === "number") {
    if (typeof exact !== "string" || !INTEGER.test(exact)) return value;
    if (exact.length > MOST_DIGITS) return undefined;
    const integer = BigInt(exact);
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  }
  if (typeof value !== "object" || value === null) return value;
  for (const key of Object.keys(value)) {
    const member = restored(ownMember(value, key), ownMember(exact, key) ?? undefined);
    if (member === undefined) return undefined;
    // Defined, for a member may be called __proto__.
    if (!Object.is(member, ownMember(value, key)))
      Object.defineProperty(value, key, { value: member, enumerable: true, configurable: true, writable: true });
  }
  return value;
}
