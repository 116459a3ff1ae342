import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { userError } from "../errors.js";

/**
 * A file of frames: length and CRC-32 (little endian, 4 bytes each), then the bytes. A frame is handed to the operating system before
 * `append` returns, so a killed process loses nothing acknowledged; a power cut may (nothing is synced).
 */
export interface AppendLog {
  append(bytes: Uint8Array): void;
  close(): void;
}

const HEADER_BYTES = 8;

/** Replays every whole frame, cuts a torn last one off, and goes on appending there. */
export function openAppendLog(path: string, onFrame: (bytes: Buffer) => void): AppendLog {
  const file = openSync(path, existsSync(path) ? "r+" : "w+");
  let end = 0;
  try {
    end = replay(file, path, onFrame);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  ftruncateSync(file, end);
  return {
    append(bytes) {
      end += writeFrame(file, bytes, end);
    },
    close: () => closeSync(file),
  };
}

/** Writes a log of these frames beside the old one, then takes its place in one rename. */
export function replaceLog(path: string, frames: Iterable<Uint8Array>): void {
  const next = `${path}.next`;
  const file = openSync(next, "w");
  let end = 0;
  for (const bytes of frames) end += writeFrame(file, bytes, end);
  closeSync(file);
  renameSync(next, path);
}

function writeFrame(file: number, bytes: Uint8Array, position: number): number {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes.length);
  frame.writeUInt32LE(bytes.length, 0);
  frame.writeUInt32LE(crc32(bytes), 4);
  frame.set(bytes, HEADER_BYTES);
  for (let written = 0; written < frame.length; ) {
    written += writeSync(file, frame, written, frame.length - written, position + written);
  }
  return frame.length;
}

/** Returns where the last whole frame ends. A bad frame with others behind it is no torn write, and is not repaired. */
function replay(file: number, path: string, onFrame: (bytes: Buffer) => void): number {
  const size = fstatSync(file).size;
  let at = 0;
  while (at + HEADER_BYTES <= size) {
    const header = readExactly(file, at, HEADER_BYTES);
    const next = at + HEADER_BYTES + header.readUInt32LE(0);
    if (next > size) break;
    const bytes = readExactly(file, at + HEADER_BYTES, next - at - HEADER_BYTES);
    if (crc32(bytes) !== header.readUInt32LE(4)) {
      if (next === size) break;
      throw userError("local-data-corrupt", `${path} is damaged at byte ${at}.`, "Remove the data directory.");
    }
    onFrame(bytes);
    at = next;
  }
  return at;
}

function readExactly(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const count = readSync(file, buffer, read, length - read, position + read);
    if (count === 0) throw userError("local-data-corrupt", "A log shrank while it was read.", "Use one process only.");
    read += count;
  }
  return buffer;
}
