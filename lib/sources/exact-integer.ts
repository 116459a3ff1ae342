const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The integer that a JSON number literal writes, without the detour over a double; undefined if it is none or has over 40 digits. */
export function exactInteger(literal: string): bigint | undefined {
  if (literal.length > 60) return undefined;
  const match = NUMBER.exec(literal);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const scale = Number(exponent) - fraction.length;
  let digits = `${whole}${fraction}`;
  if (scale >= 0) {
    if (scale > 40) return undefined;
    digits += "0".repeat(scale);
  } else {
    const cut = digits.length + scale;
    if (!/^0*$/.test(digits.slice(Math.max(0, cut)))) return undefined;
    digits = cut <= 0 ? "0" : digits.slice(0, cut);
  }
  return BigInt(`${sign}${digits}`);
}

/** A double of which a JSON literal may have been another integer. */
export const isBeyondSafe = (value: unknown): value is number =>
  Number.isInteger(value) && !Number.isSafeInteger(value);

/**
 * Valid JSON with every number literal of 16 or more characters, or with an exponent, put in quotes, so that a second `JSON.parse` keeps its digits.
 * A value that was a number in the first parse and is a string in the second is such a literal; no marker that data could forge.
 * By hand, not by regular expression: a megabyte string inside the payload would overflow the matcher's stack.
 */
export function quoteLongNumbers(json: string): string {
  const out: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = afterString(json, at + 1);
    } else if (code === MINUS || isDigit(code)) {
      const start = at;
      let exponent = false;
      for (let part = code; at < json.length && isNumberPart(part); part = json.charCodeAt(++at))
        exponent ||= isE(part);
      if (at - start >= 16 || exponent) {
        out.push(json.slice(copied, start), '"', json.slice(start, at), '"');
        copied = at;
      }
    } else {
      at++;
    }
  }
  out.push(json.slice(copied));
  return out.join("");
}

const QUOTE = 34;
const BACKSLASH = 92;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;

const afterString = (json: string, start: number): number => {
  let at = start;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
};

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const isNumberPart = (code: number): boolean =>
  isDigit(code) || code === MINUS || code === PLUS || code === POINT || isE(code);

const isE = (code: number): boolean => code === 69 || code === 101;
