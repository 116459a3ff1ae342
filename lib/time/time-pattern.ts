import { userError } from "../errors.js";

/** A pattern taken apart: words as they stand, fields by letter and count, and what may be left out. */
export type PatternPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "field"; readonly letter: PatternLetter; readonly count: number }
  | { readonly kind: "optional"; readonly parts: readonly PatternPart[] };

export type PatternLetter = keyof typeof COUNTS;

/** Spark's pattern letters, and how often each may stand. */
const COUNTS = {
  G: [1, 2, 3, 4],
  y: [1, 2, 3, 4, 5, 6],
  M: [1, 2, 3, 4],
  L: [1, 2, 3, 4],
  d: [1, 2],
  D: [1, 2, 3],
  E: [1, 2, 3, 4],
  F: [1],
  Q: [1, 2, 3, 4],
  q: [1, 2, 3, 4],
  a: [1],
  H: [1, 2],
  h: [1, 2],
  k: [1, 2],
  K: [1, 2],
  m: [1, 2],
  s: [1, 2],
  S: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  V: [2],
  z: [1, 2, 3, 4],
  O: [1, 4],
  X: [1, 2, 3, 4, 5],
  x: [1, 2, 3, 4, 5],
  Z: [1, 2, 3, 4, 5],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/**
 * Spark's pattern of a timestamp: letters are fields, `'…'` is text (`''` a quote), `[…]` may be left out, all else stands for itself.
 * @throws `time-pattern` for a letter that Spark does not take, or not so often
 */
export function readPattern(pattern: string): readonly PatternPart[] {
  const open: PatternPart[][] = [[]];
  let at = 0;
  while (at < pattern.length) {
    const char = pattern[at] as string;
    const parts = open.at(-1) as PatternPart[];
    if (/[A-Za-z]/.test(char)) {
      const count = runOf(pattern, at);
      parts.push({ kind: "field", letter: letterOf(pattern, char, count), count });
      at += count;
    } else if (char === "'") {
      const { text, end } = quoted(pattern, at);
      parts.push({ kind: "text", text });
      at = end;
    } else if (char === "[") {
      open.push([]);
      at++;
    } else if (char === "]") {
      if (open.length === 1) throw badPattern(pattern, "']' closes nothing");
      (open.at(-2) as PatternPart[]).push({ kind: "optional", parts: open.pop() as PatternPart[] });
      at++;
    } else if (char === "#" || char === "{" || char === "}") {
      throw badPattern(pattern, `'${char}' is reserved`);
    } else {
      parts.push({ kind: "text", text: char });
      at++;
    }
  }
  if (open.length > 1) throw badPattern(pattern, "'[' is not closed");
  return open[0] as readonly PatternPart[];
}

function letterOf(pattern: string, char: string, count: number): PatternLetter {
  const counts: readonly number[] | undefined = Object.hasOwn(COUNTS, char) ? COUNTS[char as PatternLetter] : undefined;
  if (counts === undefined) throw badPattern(pattern, `'${char}' is no pattern letter`);
  if (!counts.includes(count)) throw badPattern(pattern, `'${char.repeat(Math.min(count, 12))}' has no meaning`);
  return char as PatternLetter;
}

function runOf(pattern: string, start: number): number {
  let end = start;
  while (pattern[end] === pattern[start]) end++;
  return end - start;
}

function quoted(pattern: string, start: number): { readonly text: string; readonly end: number } {
  if (pattern[start + 1] === "'") return { text: "'", end: start + 2 };
  let text = "";
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] !== "'") text += pattern[at];
    else if (pattern[at + 1] === "'") text += pattern[at++];
    else return { text, end: at + 1 };
  }
  throw badPattern(pattern, "a quote is not closed");
}

export const badPattern = (pattern: string, what: string) =>
  userError(
    "time-pattern",
    `In the pattern ${JSON.stringify(pattern)} ${what}.`,
    'Write it in Spark\'s letters, as in "yyyy-MM-dd HH:mm:ss", and put other words in single quotes.',
  );

export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** From Sunday. */
export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
