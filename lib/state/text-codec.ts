import { internalError } from "../errors.js";
import type { ByteReader } from "./byte-reader.js";
import type { ByteWriter } from "./byte-writer.js";

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * `length * 2 + form`, then the bytes: form 0 is UTF-8, form 1 UTF-16LE for text with lone surrogates,
 * which UTF-8 would fold into one replacement character (two keys would become one).
 */
export function writeText(out: ByteWriter, text: string): void {
  const lone = LONE_SURROGATE.test(text);
  const bytes = Buffer.from(text, lone ? "utf16le" : "utf8");
  out.varint(bytes.length * 2 + (lone ? 1 : 0));
  out.bytes(bytes);
}

export function readText(input: ByteReader): string {
  const head = input.varint();
  const bytes = input.bytes(Math.floor(head / 2));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (head % 2 === 0) return buffer.toString("utf8");
  if (bytes.length % 2 !== 0) throw internalError("corrupt-bytes", "Stored bytes are damaged: half a character.");
  return buffer.toString("utf16le");
}
