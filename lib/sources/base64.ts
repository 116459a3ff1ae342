import { Buffer } from "node:buffer";

/** Standard or URL-safe base64; null where `Buffer.from` would have skipped characters or cut the end without a word. */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === base64Length(text) ? bytes : null;
}

/** How many bytes the text stands for if all of it is base64; -1: no base64 has this length. Fewer decoded bytes than this: it is none. */
export function base64Length(text: string): number {
  let digits = text.length;
  if (digits > 0 && text.charCodeAt(digits - 1) === PADDING) digits--;
  if (digits > 0 && text.charCodeAt(digits - 1) === PADDING) digits--;
  return digits % 4 === 1 ? -1 : Math.floor((digits * 3) / 4);
}

const PADDING = 61;
