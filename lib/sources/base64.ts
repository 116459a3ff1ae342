import { Buffer } from "node:buffer";

/** Standard or URL-safe base64; null where `Buffer.from` would have skipped characters or cut the end without a word. */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  let digits = text.length;
  if (digits > 0 && text.charCodeAt(digits - 1) === PADDING) digits--;
  if (digits > 0 && text.charCodeAt(digits - 1) === PADDING) digits--;
  return bytes.length === Math.floor((digits * 3) / 4) && digits % 4 !== 1 ? bytes : null;
}

const PADDING = 61;
