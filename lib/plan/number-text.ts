import { trimmed } from "../time/timestamp-text.js";

const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;
const SPECIAL = /^([+-]?)(nan|inf|infinity)$/i;
const INTEGER = /^[+-]?\d+$/;

/** As many digits as the longest long has; zeros in front do not count. */
const LONGEST = 19;

/** Text as a double by the rules of Spark's cast, blanks around it left out: `.5`, `5.`, `+8`, `1e3`, `1d`, `NaN`, `inf`. Undefined for any other. */
export function doubleOfText(given: string): number | undefined {
  const text = trimmed(given);
  if (DOUBLE.test(text)) return Number(text.replace(/[fFdD]$/, ""));
  const [, sign, word = ""] = SPECIAL.exec(text) ?? [];
  if (word === "") return undefined;
  if (word.toLowerCase() === "nan") return sign === "" ? Number.NaN : undefined;
  return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Digits with a sign or without one, no blanks; undefined for any other text, and for numbers of more than 19 digits. */
export function integerOfText(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const digits = text.replace(/^[+-]?0*/, "");
  if (digits.length > LONGEST) return undefined;
  return text.startsWith("-") ? -BigInt(digits) : BigInt(digits);
}
