import { Buffer, isUtf8 } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { isAggregate } from "./kpl.js";
import type { MalformedRow, Payload } from "./source.js";

type PayloadText = { readonly text: string } | MalformedRow;

const REPLACEMENT = "\uFFFD";

/**
 * The text of a payload: UTF-8, or gzip of it (recognised by its magic number, which no JSON begins with), which inflates to `maxBytes` at most.
 * Logs shrink to a fiftieth and less, so how far is no sign of an attack.
 */
export function payloadText(payload: Uint8Array, maxBytes: number): PayloadText {
  if (payload.byteLength > maxBytes) return tooLarge(`${payload.byteLength} bytes, of ${maxBytes} allowed`);
  if (isGzip(payload)) return inflatedText(payload, maxBytes);
  const bytes =
    payload instanceof Buffer ? payload : Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const text = withoutMark(bytes.toString("utf8"));
  // A one-byte string answers at once; only text that shows a replacement character is checked again, byte by byte.
  if (text.includes(REPLACEMENT) && !isUtf8(bytes)) {
    return isAggregate(payload)
      ? notJson("the magic number of a KPL aggregate, but a wrong digest, broken records or none")
      : notJson("not UTF-8");
  }
  return { text };
}

const withoutMark = (text: string): string => (text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);

const BYTE_ORDER_MARK = 0xfeff;

/** The bytes of a payload, inflated where they are gzip, in the same bounds. */
export function payloadBytes(payload: Uint8Array, maxBytes: number): Uint8Array | MalformedRow {
  if (payload.byteLength > maxBytes) return tooLarge(`${payload.byteLength} bytes, of ${maxBytes} allowed`);
  if (!isGzip(payload)) return payload;
  try {
    return gunzipSync(payload, { maxOutputLength: maxBytes });
  } catch (error) {
    return notInflated(error, maxBytes);
  }
}

const isGzip = (payload: Uint8Array): boolean => payload[0] === 0x1f && payload[1] === 0x8b;

/** Surely neither compressed nor too large: its bytes are its text's. */
export const isPlain = (payload: Payload, maxBytes: number): boolean => {
  if (payload.base64 === undefined) return payload.data.byteLength <= maxBytes && !isGzip(payload.data);
  return payload.base64.length <= maxBytes && !payload.base64.startsWith(GZIP_BASE64);
};

/** The first twelve bits of gzip's magic number. */
const GZIP_BASE64 = "H4";

function inflatedText(payload: Uint8Array, maxBytes: number): PayloadText {
  try {
    const bytes = gunzipSync(payload, { maxOutputLength: maxBytes });
    return isUtf8(bytes)
      ? { text: withoutMark(bytes.toString("utf8")) }
      : notJson("gzip of something that is not UTF-8");
  } catch (error) {
    return notInflated(error, maxBytes);
  }
}

const notInflated = (error: unknown, maxBytes: number): MalformedRow =>
  (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE"
    ? tooLarge(`inflates beyond ${maxBytes} bytes`)
    : notJson("the magic number of gzip, but it does not inflate");

const tooLarge = (detail: string): MalformedRow => ({ malformed: "too-large", detail });
const notJson = (detail: string): MalformedRow => ({ malformed: "not-json", detail });
