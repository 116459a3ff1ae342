import type { PartitionId } from "../sinks/sink.js";
import { type CommittedState, emptyState } from "../state/committed-state.js";
import type { TableSpec } from "../state/state-store.js";
import { NO_WATERMARK } from "../time/event-time.js";
import type { CheckpointLog, PartitionKey } from "./checkpoint-log.js";
import { type Knowledge, NO_KNOWLEDGE, raise } from "./commit-ring.js";
import { type ObjectKind, objectKey } from "./keys.js";
import type { Manifest } from "./manifest-codec.js";
import type { ObjectStore } from "./object-store.js";
import { NO_REGISTERS } from "./registers.js";
import type { PartitionPosition } from "./state-partition.js";
import type { Pack, StoredBlob } from "./stored-blob.js";
import { superseded } from "./superseded.js";

/** Everything that a state partition's ring touches or depends on, given from outside. */
export interface RingOptions {
  readonly log: CheckpointLog;
  readonly objects: ObjectStore;
  /** Epoch ms, the wall clock of rule 5. */
  readonly now: () => number;
  /** Random, never repeated: attempt ids and object keys are made of it. */
  readonly newId: () => string;
  readonly query: string;
  readonly incarnation: string;
  readonly partition: PartitionId;
  /** One's own (rule 13). */
  readonly generation: number;
  /** Every table of the query. */
  readonly tables: readonly TableSpec[];
  /** R. */
  readonly ringSize: number;
  /** K: runs of consumed records kept per shard (rule 4). */
  readonly maxRuns: number;
  /** Bytes of an item's body above which delta, outbox or manifest become objects. */
  readonly inlineLimitBytes: number;
  readonly maxStateBytes: number;
  /** A snapshot is taken before its turn once the deltas since the last one, encoded, take more than this: what a cold load must read. */
  readonly maxRecentBytes: number;
  /** A pack of output is closed before it would grow above this. */
  readonly packBytes: number;
}

/** One environment's view: `known` survives a reload, `cache` does not, nothing survives a cold start. */
export interface Ring {
  readonly options: RingOptions;
  readonly at: PartitionKey;
  known: Knowledge;
  cache: RingCache | null;
  /** Loads that read before they trust the cache; set by a conflict. */
  readFirst: number;
  committedSinceLoad: boolean;
  superseded: boolean;
  /** Objects of entries seen by this environment, by batch id; due once their slot is overwritten (rule 10). */
  readonly objectsOfEntry: Map<number, readonly string[]>;
  /** Objects that nothing can name any more. */
  garbage: string[];
}

/** state(version) and what a snapshot of it needs. Changed only when an entry is known to be committed. */
export interface RingCache extends PartitionPosition {
  version: number;
  offsets: PartitionPosition["offsets"];
  registers: PartitionPosition["registers"];
  lastPassWatermark: number;
  watermark: number;
  /** Of entry `version`'s writer. */
  generation: number;
  readonly state: CommittedState;
  /** Outboxes not known to be published, ascending. */
  readonly pending: Map<number, readonly Pack[]>;
  /** Deltas of the batches after the base, encoded; those that are objects by their key, so that they take no memory. */
  recent: RecentBatch[];
  base: Base | "forgotten";
}

export interface RecentBatch {
  readonly batchId: number;
  readonly delta: StoredBlob | null;
  /** Of the encoded delta. */
  readonly bytes: number;
}

/** What the pointer named when this environment last loaded or moved it. */
export interface Base {
  readonly manifestKey: string | null;
  readonly manifest: Manifest | null;
  /** The manifest is an object, not inline. */
  readonly stored: boolean;
}

export const NO_BASE: Base = Object.freeze({ manifestKey: null, manifest: null, stored: false });

export const newRing = (options: RingOptions): Ring => ({
  options,
  at: { incarnation: options.incarnation, partition: options.partition },
  known: NO_KNOWLEDGE,
  cache: null,
  readFirst: 0,
  committedSinceLoad: false,
  superseded: false,
  objectsOfEntry: new Map(),
  garbage: [],
});

/** state(0). */
export const initialCache = (tables: readonly TableSpec[]): RingCache => ({
  version: 0,
  offsets: new Map(),
  registers: NO_REGISTERS,
  lastPassWatermark: NO_WATERMARK,
  watermark: NO_WATERMARK,
  generation: 0,
  state: emptyState(tables),
  pending: new Map(),
  recent: [],
  base: NO_BASE,
});

export const newObjectKey = (ring: Ring, kind: ObjectKind): string =>
  objectKey(ring.options.query, ring.at, kind, ring.options.newId());

/** Rule 8: knownPub rises over what is published or has nothing to publish, and stops below the lowest that is pending. */
export function settlePublished(ring: Ring, cache: RingCache): void {
  for (const batchId of cache.pending.keys()) if (batchId <= ring.known.knownPub) cache.pending.delete(batchId);
  const lowest = cache.pending.keys().next().value;
  ring.known = raise(ring.known, { knownPub: lowest === undefined ? cache.version : lowest - 1 });
}

/** Rule 13: from here on this environment writes nothing more. */
export function supersede(ring: Ring): Error {
  ring.superseded = true;
  ring.cache = null;
  return superseded(ring.options.query, ring.options.generation);
}
