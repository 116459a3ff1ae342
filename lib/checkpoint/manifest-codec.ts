import { decodeRow, encodeRow } from "../state/row-codec.js";
import type { Micros, Watermark } from "../time/event-time.js";
import type { OffsetMap, ShardOffsets } from "./offsets.js";
import { pack, unpack } from "./packing.js";
import type { Registers } from "./registers.js";
import {
  fromStored,
  NEWEST_REGISTERS_VERSION,
  registersVersion,
  type StoredRegisters,
  toStored,
} from "./registers-codec.js";
import type { StoredBlob } from "./stored-blob.js";

/** state(V): the folds in full, the rows as segments and runs. */
export interface Manifest {
  readonly version: number;
  /** Of entry V's writer, not of the snapshot's. */
  readonly generation: number;
  readonly offsets: OffsetMap;
  readonly registers: Registers;
  readonly lastPassWatermark: Watermark;
  readonly watermark: Watermark;
  readonly segments: readonly Segment[];
  readonly runs: readonly ChangeRun[];
}

/** All rows of one bucket of expiries (`bucketOf`) as of a batch. */
export interface Segment {
  readonly bucket: number | null;
  readonly asOf: number;
  readonly blob: StoredBlob;
  readonly bytes: number;
}

/** Net changes of the batches `first` … `last`. */
export interface ChangeRun {
  readonly first: number;
  readonly last: number;
  readonly blob: StoredBlob;
  readonly bytes: number;
  /** Every bucket with a change in it; those at or below `expiredThrough` are touched besides. */
  readonly buckets: readonly (number | null)[];
  readonly expiredThrough: Micros;
}

export const encodeManifest = (manifest: Manifest): Uint8Array =>
  pack(
    registersVersion(manifest.registers),
    encodeRow({ ...manifest, offsets: [...manifest.offsets], registers: toStored(manifest.registers) }),
  );

export function decodeManifest(packed: Uint8Array): Manifest {
  const fields = decodeRow(unpack(packed, NEWEST_REGISTERS_VERSION).bytes) as Omit<
    Manifest,
    "offsets" | "registers"
  > & {
    readonly offsets: readonly (readonly [string, ShardOffsets])[];
    readonly registers: StoredRegisters;
  };
  return { ...fields, offsets: new Map(fields.offsets), registers: fromStored(fields.registers) };
}

/** The objects that a manifest names, itself apart. */
export const objectsOf = (manifest: Manifest): string[] =>
  [...manifest.segments, ...manifest.runs].flatMap(({ blob }) => ("key" in blob ? [blob.key] : []));
