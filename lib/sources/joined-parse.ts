import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { base64Length } from "./base64.js";
import type { Payload } from "./source.js";

/**
 * Parses many JSON payloads as one array: a quarter cheaper per record than one by one, because shapes are found once and base64 is
 * decoded into its place. Null if they do not all
 * parse, or cannot be shown to: then each must be parsed alone.
 *
 * Why a separator that nobody can know: with plain commas a producer could send `{"a":[1` and later `2]}`, swallow the records between and
 * make up their number elsewhere. Here every second element must be the separator, which holds 50 random bits: then between two
 * of them stands exactly one value, so each payload is one JSON text by itself. The answer does not depend on the bits.
 */
export function parseJoined(payloads: readonly Payload[]): readonly unknown[] | null {
  const mark = randomBytes(8).toString("base64url").slice(0, 9);
  const separator = Buffer.from(`,"${mark}",`, "latin1");
  const text = join(payloads, separator);
  if (text === null) return null;
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

/** Null: one is no base64. */
function join(payloads: readonly Payload[], separator: Uint8Array): string | null {
  let length = 2;
  for (const payload of payloads) length += roomFor(payload) + separator.length;
  const bytes = Buffer.allocUnsafe(length);
  bytes[0] = OPEN;
  let at = 1;
  for (const payload of payloads) {
    // A call of `set` costs more than these few bytes.
    if (at > 1) for (let i = 0; i < separator.length; i++) bytes[at++] = separator[i] as number;
    if (payload.base64 === undefined) {
      bytes.set(payload.data, at);
      at += payload.data.length;
    } else {
      const written = bytes.write(payload.base64, at, "base64");
      if (written !== base64Length(payload.base64)) return null;
      at += written;
    }
  }
  bytes[at++] = CLOSE;
  return bytes.toString("utf8", 0, at);
}

/** Of base64 never less than it decodes to. `data` must not be touched where there is base64. */
export const roomFor = (payload: Payload): number =>
  payload.base64 === undefined ? payload.data.length : Math.ceil((payload.base64.length * 3) / 4);

const OPEN = 91;
const CLOSE = 93;
