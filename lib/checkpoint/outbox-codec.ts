import type { OutboxPart } from "../sinks/sink.js";
import { decodeRow, encodeRow } from "../state/row-codec.js";
import { packPlain, unpack } from "./packing.js";

const VERSION = 1;

/** Parts carry final bytes, compressed by their sinks where that pays. */
export const encodeOutbox = (parts: readonly OutboxPart[]): Uint8Array =>
  packPlain(VERSION, encodeRow(parts.map((part) => ({ ...part }))));

export const decodeOutbox = (packed: Uint8Array): readonly OutboxPart[] =>
  decodeRow(unpack(packed, VERSION).bytes) as OutboxPart[];
