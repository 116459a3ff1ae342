import { internalError } from "../errors.js";
import { byteReader } from "../state/byte-reader.js";
import { byteWriter } from "../state/byte-writer.js";
import { decodeRow, encodeRow } from "../state/row-codec.js";
import type { Watermark } from "../time/event-time.js";
import type { SlotItem } from "./checkpoint-log.js";
import type { OffsetUpdate } from "./offsets.js";
import { pack, packPlain, unpack } from "./packing.js";
import type { Registers } from "./registers.js";
import { fromStored, registersVersion, type StoredRegisters, toStored } from "./registers-codec.js";
import type { StoredBlob } from "./stored-blob.js";

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
  /** Null: nothing to publish. */
  readonly outbox: StoredBlob | null;
  /** The writer's knownPub. */
  readonly publishedThrough: number;
  readonly progress: unknown;
}

const NEWEST_VERSION = 2;

/** Three blocks: the fields deflated, then delta and outbox as they are, for they are compressed already. */
export function encodeEntry(entry: LogEntry): SlotItem {
  const { batchId, attemptId, generation, delta, outbox } = entry;
  const version = registersVersion(entry.registers);
  const out = byteWriter(1024);
  out.block(
    pack(
      version,
      encodeRow({
        offsets: entry.offsets,
        registers: toStored(entry.registers),
        lastPassWatermark: entry.lastPassWatermark,
        watermark: entry.watermark,
        publishedThrough: entry.publishedThrough,
        progress: JSON.stringify(entry.progress ?? null),
        deltaKey: delta !== null && "key" in delta ? delta.key : null,
        outboxKey: outbox !== null && "key" in outbox ? outbox.key : null,
      }),
    ),
  );
  for (const blob of [delta, outbox]) {
    const inline = blob !== null && "inline" in blob ? blob.inline : null;
    out.byte(inline === null ? 0 : 1);
    if (inline !== null) out.block(inline);
  }
  return { batchId, attemptId, generation, body: packPlain(version, out.finish()) };
}

interface Fields {
  readonly offsets: readonly OffsetUpdate[];
  readonly registers: StoredRegisters;
  readonly lastPassWatermark: number;
  readonly watermark: number;
  readonly publishedThrough: number;
  readonly progress: string;
  readonly deltaKey: string | null;
  readonly outboxKey: string | null;
}

export function decodeEntry(item: SlotItem): LogEntry {
  const input = byteReader(unpack(item.body, NEWEST_VERSION).bytes);
  const fields = decodeRow(unpack(input.block(), NEWEST_VERSION).bytes) as Fields;
  const blob = (key: string | null): StoredBlob | null => {
    const inline = input.byte() === 1 ? input.block().slice() : null;
    return inline !== null ? { inline } : key !== null ? { key } : null;
  };
  const delta = blob(fields.deltaKey);
  const outbox = blob(fields.outboxKey);
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
