import type { Buffer } from "node:buffer";
import { isPlainWord } from "../../columns/text-hash.js";

/** JSON texts in one buffer, also read four bytes at a time. */
export interface JsonBytes {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** So many bytes must follow the last text. */
export const SLACK_BYTES = 8;

export const jsonBytes = (bytes: Buffer): JsonBytes => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
});

/**
 * Walks over JSON text and checks it: each function takes where a token begins and returns where the rest begins, or `DECLINED`.
 * Behind the text must stand a control character, which no token contains: so nothing here asks for the end.
 */
export const DECLINED = -1;

/** Nesting beyond which the row decoder decides. */
const MAX_DEPTH = 32;

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;

/** 0: an ASCII character that may stand in a string as it is; else quote, backslash, control character or part of a longer one. */
export const ENDS_RUN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 32 || byte === QUOTE || byte === BACKSLASH || byte >= 128 ? 1 : 0,
);

/** Space, tab, line feed, carriage return. */
const isBlank = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** `at` stands behind the opening quote. */
export function skipString({ bytes, view }: JsonBytes, at: number): number {
  const ends = ENDS_RUN;
  let p = at;
  while (isPlainWord(view.getInt32(p, true))) p += 4;
  for (;;) {
    let byte = bytes[p]!;
    while (ends[byte] === 0) byte = bytes[++p]!;
    if (byte === QUOTE) return p + 1;
    if (byte === BACKSLASH) p = skipEscape(bytes, p + 1);
    else p = byte >= 128 ? skipWide(bytes, p) : DECLINED;
    if (p === DECLINED) return DECLINED;
  }
}

/** One character of two to four bytes of UTF-8: no surrogates, none spelled longer than need be, none beyond U+10FFFF. */
export function skipWide(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const second = bytes[at + 1]!;
  if (lead < 0xc2 || lead > 0xf4 || !isRest(second)) return DECLINED;
  if (lead < 0xe0) return at + 2;
  if (lead === 0xe0 ? second < 0xa0 : lead === 0xed && second > 0x9f) return DECLINED;
  if (!isRest(bytes[at + 2]!)) return DECLINED;
  if (lead < 0xf0) return at + 3;
  if (lead === 0xf0 ? second < 0x90 : lead === 0xf4 && second > 0x8f) return DECLINED;
  return isRest(bytes[at + 3]!) ? at + 4 : DECLINED;
}

const isRest = (byte: number): boolean => (byte & 0xc0) === 0x80;

function skipEscape(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case 34: // "
    case 92: // \
    case 47: // /
    case 98: // b
    case 102: // f
    case 110: // n
    case 114: // r
    case 116: // t
      return at + 1;
    case 117: // u
      for (let p = at + 1; p < at + 5; p++) if (!isHex(bytes[p]!)) return DECLINED;
      return at + 5;
    default:
      return DECLINED;
  }
}

const isHex = (byte: number): boolean => (byte >= 48 && byte <= 57) || ((byte | 32) >= 97 && (byte | 32) <= 102);

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

export function skipNumber(bytes: Uint8Array, at: number): number {
  let p = bytes[at] === MINUS ? at + 1 : at;
  if (!isDigit(bytes[p]!)) return DECLINED;
  if (bytes[p] === 48) p++;
  else while (isDigit(bytes[p]!)) p++;
  if (bytes[p] === POINT) {
    if (!isDigit(bytes[++p]!)) return DECLINED;
    while (isDigit(bytes[p]!)) p++;
  }
  if ((bytes[p]! | 32) === 101) {
    p++;
    if (bytes[p] === MINUS || bytes[p] === 43) p++;
    if (!isDigit(bytes[p]!)) return DECLINED;
    while (isDigit(bytes[p]!)) p++;
  }
  return p;
}

const TRUE = [116, 114, 117, 101];
const FALSE = [102, 97, 108, 115, 101];
const NULL = [110, 117, 108, 108];

const isTrue = (bytes: Uint8Array, at: number): boolean => isWord(bytes, at, TRUE);
const isFalse = (bytes: Uint8Array, at: number): boolean => isWord(bytes, at, FALSE);
export const isNull = (bytes: Uint8Array, at: number): boolean => isWord(bytes, at, NULL);

function isWord(bytes: Uint8Array, at: number, word: readonly number[]): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

export function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  let p = at;
  while (p < end && isBlank(bytes[p]!)) p++;
  return p;
}

/** Any value; `end` bounds the blanks. */
export function skipValue(text: JsonBytes, at: number, end: number, depth = 0): number {
  const { bytes } = text;
  const byte = bytes[at]!;
  if (byte === QUOTE) return skipString(text, at + 1);
  if (byte === MINUS || isDigit(byte)) return skipNumber(bytes, at);
  if (byte === OPEN || byte === OPEN_LIST) return skipNested(text, at, end, depth + 1);
  if (isTrue(bytes, at) || isNull(bytes, at)) return at + 4;
  return isFalse(bytes, at) ? at + 5 : DECLINED;
}

function skipNested(text: JsonBytes, at: number, end: number, depth: number): number {
  const { bytes } = text;
  if (depth > MAX_DEPTH) return DECLINED;
  const named = bytes[at] === OPEN;
  const close = named ? CLOSE : CLOSE_LIST;
  let p = skipBlanks(bytes, at + 1, end);
  if (bytes[p] === close) return p + 1;
  for (;;) {
    if (named) {
      if (bytes[p] !== QUOTE) return DECLINED;
      p = skipString(text, p + 1);
      if (p === DECLINED) return DECLINED;
      p = skipBlanks(bytes, p, end);
      if (bytes[p] !== COLON) return DECLINED;
      p = skipBlanks(bytes, p + 1, end);
    }
    p = skipValue(text, p, end, depth);
    if (p === DECLINED) return DECLINED;
    p = skipBlanks(bytes, p, end);
    if (bytes[p] === close) return p + 1;
    if (bytes[p] !== COMMA) return DECLINED;
    p = skipBlanks(bytes, p + 1, end);
  }
}
