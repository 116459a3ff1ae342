import type { OutboxPart, PublishIdentity } from "../sinks/sink.js";
import type { StateView, TableSpec } from "../state/state-store.js";
import type { Watermark } from "../time/event-time.js";
import type { OffsetMap, OffsetUpdate } from "./offsets.js";
import type { Registers } from "./registers.js";

/** What the last commit left: all that a micro-batch starts from, state rows apart. */
export interface PartitionPosition {
  /** The last committed batch id; 0 before the first. */
  readonly version: number;
  readonly offsets: OffsetMap;
  readonly registers: Registers;
  /** L: what the last pass evicted with. */
  readonly lastPassWatermark: Watermark;
  /** G: what the next pass evicts with. */
  readonly watermark: Watermark;
}

/** An overlay over the committed state of one version; thrown away on a lost race, turned into a delta on commit. */
export interface StagedState extends StateView {
  /** Estimated bytes of the state as it would stand. */
  readonly stateBytes: number;
  /** Of those, each table's: costs what changed, once. */
  tableBytes(): (table: TableSpec) => number;
  /** Whether anything was staged. */
  readonly changed: boolean;
}

interface PartitionLook {
  readonly position: PartitionPosition;
  /** Output is committed and not known to be published. */
  readonly pending: boolean;
}

export interface EntryDraft {
  readonly offsets: readonly OffsetUpdate[];
  readonly registers: Registers;
  readonly lastPassWatermark: Watermark;
  readonly watermark: Watermark;
  /** What was staged for this commit, or all of it at once. */
  readonly outbox: OutboxWriter | readonly OutboxPart[];
  /** Without its own commit and publish times. JSON. */
  readonly progress: unknown;
}

/**
 * The output of one commit while it is staged (rule A9): parts gather into packs, and a full one is uploaded before the next part is taken,
 * so that no more than a pack is held.
 */
export interface OutboxWriter {
  add(parts: readonly OutboxPart[]): Promise<void>;
}

export type CommitOutcome = "committed" | "conflict";

/**
 * One state partition of one environment: protocol.md rules 2–10 behind five calls. The runtime's order is
 * `load` → (`position`, `stage`, run) → `commit` → `publish`; after `conflict` the winner's entry is already applied: stage and run again.
 * Every method throws TidemarkError: `superseded` (rule 13), `commit-unknown` (rule 6), `state-too-large`, …
 */
export interface StatePartition {
  /** Rule 3. Warm: nothing is read unless a conflict was seen lately or `fresh` asks for it (the tick does). */
  load(options?: { readonly fresh?: boolean }): Promise<{ readonly coldStart: boolean }>;
  /**
   * For a tick: what a cold environment can tell without its state rows: pointer, manifest and slots are read, segments, runs and deltas
   * are not. Null where a cache is there, which costs less to bring up to date. Absent in partitions that hold their state anyway.
   */
  look?(): Promise<PartitionLook | null>;
  position(): PartitionPosition;
  /** Committed batches whose output this environment does not know to be published. Absent in partitions that publish nothing. */
  unpublished?(): number;
  stage(): StagedState;
  /** For the output of one commit; what is not committed is left to the sweeper. */
  newOutbox(): OutboxWriter;
  /**
   * `publisher` is used when the ring is about to lap and output of others is still pending: a snapshot needs it published (rule 7). What then
   * does not fit before `deadlineReached` is recorded, nothing is committed, and `publish-incomplete` is thrown (rule A8).
   */
  commit(
    draft: EntryDraft,
    staged: StagedState,
    publisher?: Publisher,
    deadlineReached?: () => boolean,
  ): Promise<CommitOutcome>;
  /**
   * Rules 8 and 9: everything pending, ascending, step after step. Stops early when `deadlineReached`, records how far it came, and throws
   * `publish-incomplete`.
   */
  publish(publisher: Publisher, deadlineReached: () => boolean): Promise<void>;
  /** Records what is known to be published, which otherwise the next commit does. For who leaves a partition for good. */
  settle?(): Promise<void>;
  /** Progress records of the entries still in the ring, oldest first. */
  recentProgress(): Promise<readonly unknown[]>;
}

/** Publishes one step: parts of one output, of one sink. */
export type Publisher = (identity: PublishIdentity, parts: readonly OutboxPart[]) => Promise<void>;
