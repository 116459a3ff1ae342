import type { OutboxPart, OutputName } from "../sinks/sink.js";
import { decodeRow, encodeRow } from "../state/row-codec.js";
import { packPlain, unpack } from "./packing.js";

/** Version 1 had no steps: an outbox was one list of parts. */
const NEWEST_VERSION = 2;

/** What is published at once, by one sink; the next one begins only when it is known to be done (rule A4). */
export type OutboxStep = readonly OutboxPart[];

interface StoredPack {
  readonly parts: readonly OutboxPart[];
  /** How many parts each step has. */
  readonly steps: readonly number[];
}

/** Parts carry final bytes, compressed by their sinks where that pays. */
export const encodePack = (steps: readonly OutboxStep[]): Uint8Array =>
  packPlain(
    NEWEST_VERSION,
    encodeRow({ parts: steps.flat().map((part) => ({ ...part })), steps: steps.map(({ length }) => length) }),
  );

/** Rule A9: the division that is stored, whatever this code would have made of it. */
export function decodePack(packed: Uint8Array): readonly OutboxStep[] {
  const { version, bytes } = unpack(packed, NEWEST_VERSION);
  if (version === 1) return dividedAsBefore(decodeRow(bytes) as readonly OutboxPart[]);
  const { parts, steps } = decodeRow(bytes) as StoredPack;
  let from = 0;
  return steps.map((length) => {
    from += length;
    return parts.slice(from - length, from);
  });
}

const OUTPUTS: readonly OutputName[] = ["result", "late", "malformed"];

/** One step per part, in the order in which version 1 published them. */
const dividedAsBefore = (parts: readonly OutboxPart[]): readonly OutboxStep[] =>
  OUTPUTS.flatMap((output) => parts.filter((part) => part.output === output)).map((part) => [part]);
