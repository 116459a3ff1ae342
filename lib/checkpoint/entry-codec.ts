import { internalError } from "../errors.js";
import { byteReader } from "../state/byte-reader.js";
import { byteWriter } from "../state/byte-writer.js";
import { decodeRow, encodeRow } from "../state/row-codec.js";
import type { Watermark } from "../time/event-time.js";
import type { SlotItem } from "./checkpoint-log.js";
import type { OffsetUpdate } from "./offsets.js";
import { pack, packPlain, unpack } from "./packing.js";
import type { Registers } from "./registers.js";
import {
  fromStored,
  NEWEST_REGISTERS_VERSION,
  registersVersion,
  type StoredRegisters,
  toStored,
} from "./registers-codec.js";
import { keyOf, type Pack, type StoredBlob } from "./stored-blob.js";

/** One committed batch as its slot holds it (DATA.md section 7). */
export interface LogEntry {
  readonly batchId: number;
  readonly attemptId: string;
  readonly generation: number;
  readonly offsets: readonly OffsetUpdate[];
  readonly registers: Registers;
  readonly lastPassWatermark: Watermark;
  readonly watermark: Watermark;
  /** Null: no row changed. */
  readonly delta: StoredBlob | null;
  /** Empty: nothing to publish. */
  readonly outbox: readonly Pack[];
  /** The writer's knownPub. */
  readonly publishedThrough: number;
  readonly progress: unknown;
}

/**
 * Versions 2 and 4 are of what registers hold (`registers-codec`), version 3 has packs of output with their steps: the oldest that says
 * all there is, so that a rollback stays possible where nothing new is used.
 */
const versionOf = ({ registers, outbox }: LogEntry): number =>
  Math.max(outbox.some(({ steps }) => steps !== null) ? 3 : 1, registersVersion(registers));

/** The fields deflated, then delta and packs as they are, for they are compressed already. */
export function encodeEntry(entry: LogEntry): SlotItem {
  const { batchId, attemptId, generation, delta, outbox } = entry;
  const version = versionOf(entry);
  const packs = outbox.map(({ blob, steps }) => ({ key: keyOf(blob), steps }));
  const out = byteWriter(1024);
  out.block(
    pack(
      version,
      encodeRow({
        batchId,
        offsets: entry.offsets,
        registers: toStored(entry.registers),
        lastPassWatermark: entry.lastPassWatermark,
        watermark: entry.watermark,
        publishedThrough: entry.publishedThrough,
        progress: JSON.stringify(entry.progress ?? null),
        deltaKey: keyOf(delta),
        ...(version < 3 || packs.length === 0 ? { outboxKey: packs[0]?.key ?? null } : { packs }),
      }),
    ),
  );
  const blobs = outbox.length === 0 ? [delta, null] : [delta, ...outbox.map(({ blob }) => blob)];
  for (const blob of blobs) {
    const inline = blob !== null && "inline" in blob ? blob.inline : null;
    out.byte(inline === null ? 0 : 1);
    if (inline !== null) out.block(inline);
  }
  return { batchId, attemptId, generation, body: packPlain(version, out.finish()) };
}

interface Fields {
  /** Absent before version 3: what stands beside the body is then not compared. */
  readonly batchId?: number;
  readonly offsets: readonly OffsetUpdate[];
  readonly registers: StoredRegisters;
  readonly lastPassWatermark: number;
  readonly watermark: number;
  readonly publishedThrough: number;
  readonly progress: string;
  readonly deltaKey: string | null;
  /** Before version 3, and where there is no output. */
  readonly outboxKey?: string | null;
  readonly packs?: readonly { readonly key: string | null; readonly steps: number }[];
}

export function decodeEntry(item: SlotItem): LogEntry {
  const input = byteReader(unpack(item.body, NEWEST_REGISTERS_VERSION).bytes);
  const fields = decodeRow(unpack(input.block(), NEWEST_REGISTERS_VERSION).bytes) as Fields;
  if ((fields.batchId ?? item.batchId) !== item.batchId)
    throw internalError(
      "corrupt-item",
      `The item of batch ${item.batchId} holds the entry of batch ${fields.batchId}.`,
    );
  const blob = (key: string | null): StoredBlob | null => {
    const inline = input.byte() === 1 ? input.block().slice() : null;
    return inline !== null ? { inline } : key !== null ? { key } : null;
  };
  const delta = blob(fields.deltaKey);
  const packs = fields.packs ?? [{ key: fields.outboxKey ?? null, steps: null }];
  const outbox = packs.flatMap(({ key, steps }): Pack[] => {
    const stored = blob(key);
    return stored === null ? [] : [{ blob: stored, steps }];
  });
  if (!input.done) throw internalError("corrupt-bytes", `Entry ${item.batchId} is damaged: something follows it.`);
  return {
    batchId: item.batchId,
    attemptId: item.attemptId,
    generation: item.generation,
    offsets: fields.offsets,
    registers: fromStored(fields.registers),
    lastPassWatermark: fields.lastPassWatermark,
    watermark: fields.watermark,
    delta,
    outbox,
    publishedThrough: fields.publishedThrough,
    progress: JSON.parse(fields.progress),
  };
}

/** Keys of the objects that an entry names. */
export const objectsOfEntry = ({ delta, outbox }: LogEntry): readonly string[] =>
  [delta, ...outbox.map(({ blob }) => blob)].map(keyOf).filter((key) => key !== null);
