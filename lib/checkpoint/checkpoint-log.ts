import type { PartitionId } from "../sinks/sink.js";

/**
 * The port under the ring: single items with strongly consistent reads and conditional writes, nothing more (protocol.md, Setting).
 * Item bodies are opaque bytes here; the fields that conditions speak of stand beside them.
 * Implementations: `memory-checkpoint-log`, `dynamodb-checkpoint-log`; `test/contract/checkpoint-log.ts` is the law.
 */
export interface CheckpointLog {
  readMeta(): Promise<MetaItem | null>;
  /** On condition that there is none; returns the one that stands. */
  createMeta(meta: MetaItem): Promise<{ readonly created: boolean; readonly meta: MetaItem }>;
  /** Compare-and-set on `revision`. */
  replaceMeta(
    meta: MetaItem,
    expectedRevision: number,
  ): Promise<{ readonly replaced: boolean; readonly meta: MetaItem }>;

  readPointer(partition: PartitionKey): Promise<PointerItem | null>;
  readSlot(partition: PartitionKey, slot: number): Promise<SlotItem | null>;
  /** Pointer and slots in any order of reading; absent ones are null. Interpret strictly in order (rule 3). */
  readSlots(partition: PartitionKey, slots: readonly number[]): Promise<readonly (SlotItem | null)[]>;

  /** Rule 5. `expected` null: the item is absent; else the slot holds that batchId. A failed condition returns what stands. */
  putSlot(
    partition: PartitionKey,
    slot: number,
    item: SlotItem,
    expected: number | null,
    guard: UploadGuard,
  ): Promise<PutResult>;
  /** Rule 7. `expectedManifestKey` null: the attribute (not the item) is absent. What was published is not touched. */
  movePointer(
    partition: PartitionKey,
    next: SnapshotPointer,
    expectedManifestKey: string | null,
    guard: UploadGuard,
  ): Promise<MoveResult>;
  /**
   * Rule A2: raise only, touching nothing else, creating the item if need be. Null: raised; else the item that stands and is as far or further.
   * Throws where the outcome is unknown.
   */
  raisePublished(partition: PartitionKey, published: number): Promise<PointerItem | null>;
}

export interface PartitionKey {
  readonly incarnation: string;
  readonly partition: PartitionId;
}

export interface MetaItem {
  /** Raised by every change; what `replaceMeta` compares. */
  readonly revision: number;
  readonly body: Uint8Array;
}

export interface SlotItem {
  readonly batchId: number;
  readonly attemptId: string;
  readonly generation: number;
  readonly body: Uint8Array;
}

export interface PointerItem {
  /** 0 and null while the item exists with what was published alone (rule A2). */
  readonly batchId: number;
  readonly manifestKey: string | null;
  readonly generation: number;
  /** By code before publication in steps; only read. */
  readonly publishedThrough: number;
  /** Rule A1's number; 0: none yet. */
  readonly published: number;
  /** A small manifest stands here instead of in an object; its key is fresh all the same. */
  readonly inline?: Uint8Array;
}

/** What a snapshot writes of the pointer item. */
export type SnapshotPointer = Omit<PointerItem, "publishedThrough" | "published">;

/** Nothing is snapshotted, nothing known to be published. */
export const NO_POINTER: PointerItem = Object.freeze({
  batchId: 0,
  manifestKey: null,
  generation: 0,
  publishedThrough: 0,
  published: 0,
});

/** Rule 5's clock check: no attempt is sent if the oldest upload it names began more than 15 minutes ago. */
export interface UploadGuard {
  /** Epoch ms of the attempt's oldest upload; null if it uploaded nothing. */
  readonly oldestUpload: number | null;
}

export type PutResult =
  | { readonly outcome: "applied" }
  | { readonly outcome: "refused"; readonly existing: SlotItem | null }
  /** Timeout, 5xx after retries: it may or may not have been applied. */
  | { readonly outcome: "unknown"; readonly cause: unknown }
  /** The guard forbade sending: upload again under new keys. */
  | { readonly outcome: "stale-uploads" };

export type MoveResult =
  | { readonly outcome: "applied" }
  | { readonly outcome: "refused"; readonly existing: PointerItem | null; readonly sentOnce: boolean }
  | { readonly outcome: "unknown"; readonly cause: unknown }
  | { readonly outcome: "stale-uploads" };
