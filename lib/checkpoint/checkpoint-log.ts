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
  /** Rule 7. `expectedManifestKey` null: the attribute (not the item) is absent. `publishedThrough` is not touched. */
  movePointer(
    partition: PartitionKey,
    next: Omit<PointerItem, "publishedThrough">,
    expectedManifestKey: string | null,
    guard: UploadGuard,
  ): Promise<MoveResult>;
  /** Rule 9: raise only, touching nothing else, creating the item if need be. */
  raisePublishedThrough(partition: PartitionKey, publishedThrough: number): Promise<void>;
}

export interface PartitionKey {
  readonly incarnation: string;
  readonly partition: number;
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
  /** 0 and null while the item exists with `publishedThrough` alone (rule 9). */
  readonly batchId: number;
  readonly manifestKey: string | null;
  readonly generation: number;
  readonly publishedThrough: number;
  /** A small manifest stands here instead of in an object; its key is fresh all the same. */
  readonly inline?: Uint8Array;
}

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
