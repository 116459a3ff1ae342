import { internalError } from "../errors.js";
import type { ByteReader } from "../state/byte-reader.js";
import type { ByteWriter } from "../state/byte-writer.js";
import { readText, writeText } from "../state/text-codec.js";

/** Sorted keys: each as the length it shares with the one before, and the rest. */
export function writeKeys(out: ByteWriter, sorted: readonly string[]): void {
  out.varint(sorted.length);
  let before = "";
  for (const key of sorted) {
    const shared = sharedLength(before, key);
    out.varint(shared);
    writeText(out, key.slice(shared));
    before = key;
  }
}

export function readKeys(input: ByteReader): string[] {
  const count = input.varint();
  const keys: string[] = [];
  let before = "";
  for (let i = 0; i < count; i++) {
    const shared = input.varint();
    if (shared > before.length) throw internalError("corrupt-bytes", "A stored key shares more than there is.");
    before = before.slice(0, shared) + readText(input);
    keys.push(before);
  }
  return keys;
}

/** Never splits a surrogate pair: the rest would need UTF-16. */
function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  const last = b.charCodeAt(shared - 1);
  return shared > 0 && last >= 0xd800 && last <= 0xdbff ? shared - 1 : shared;
}
