import type { MoveResult, PointerItem, PutResult, SlotItem } from "./checkpoint-log.js";
import { knowledgeAt } from "./published-position.js";

/**
 * The decisions of protocol.md, pure: facts in, what to do out. Nothing here reads, writes or remembers.
 * The rule numbers are those of protocol.md section 1.
 */

export const slotOf = (batchId: number, ringSize: number): number => batchId % ringSize;

/** Rule 5: what the slot of batch n must hold for n's put. */
export const expectedOccupant = (batchId: number, ringSize: number): number | null =>
  batchId <= ringSize ? null : batchId - ringSize;

/** Rule 2. Only ever raised; survives a reload, dropped on cold start. */
export interface Knowledge {
  readonly knownSnap: number;
  /** All of every entry up to here is published … */
  readonly knownPub: number;
  /** … and so many steps of the one after it (rule A3). */
  readonly knownStep: number;
}

export const NO_KNOWLEDGE: Knowledge = Object.freeze({ knownSnap: 0, knownPub: 0, knownStep: 0 });

/**
 * What is published is a pair, raised as one: steps belong to the entry after `knownPub`, so that whatever raises it without naming steps of
 * that very entry starts them from 0 [CE-S6].
 */
export function raise(known: Knowledge, seen: Partial<Knowledge>): Knowledge {
  const knownSnap = Math.max(known.knownSnap, seen.knownSnap ?? 0);
  const { knownPub = 0, knownStep = 0 } = seen;
  if (knownPub > known.knownPub) return { knownSnap, knownPub, knownStep };
  return knownPub === known.knownPub
    ? { knownSnap, knownPub, knownStep: Math.max(known.knownStep, knownStep) }
    : { ...known, knownSnap };
}

/**
 * Rules 3 and A3: what a pointer item teaches, with or without a manifest. V is published, or it could not have been snapshotted (rule 7);
 * `publishedThrough` is what code before publication in steps wrote.
 */
export const learnPointer = (known: Knowledge, pointer: PointerItem | null): Knowledge =>
  pointer === null
    ? known
    : raise(
        raise(known, {
          knownSnap: pointer.batchId,
          knownPub: Math.max(pointer.batchId, pointer.publishedThrough),
        }),
        knowledgeAt(pointer.published),
      );

/** Rule 3: one slot, read for batch n. */
type LoadStep = "apply" | "head" | "restart-cold" | "superseded";

export function readSlotFor(batchId: number, item: SlotItem | null, ownGeneration: number): LoadStep {
  if (item === null || item.batchId < batchId) return "head";
  if (item.generation > ownGeneration) return "superseded";
  return item.batchId === batchId ? "apply" : "restart-cold";
}

/** Rule 5: before n's put. That n - R is published follows from rule 7; the check is an assertion. */
export function beforePut(batchId: number, ringSize: number, known: Knowledge): "put" | "snapshot-first" | "broken" {
  if (batchId <= ringSize) return "put";
  if (known.knownSnap < batchId - ringSize) return "snapshot-first";
  return known.knownPub >= batchId - ringSize ? "put" : "broken";
}

/** A snapshot that stands proves its batch published (rule 7). */
export const learnSnapshot = (known: Knowledge, version: number): Knowledge =>
  raise(known, { knownSnap: version, knownPub: version });

/** Rule 6. `deleteUploads`: rule 10, only on proof that this attempt was not and will not be the one. */
type PutStep =
  | { readonly step: "committed" }
  | { readonly step: "apply-and-redo"; readonly entry: SlotItem; readonly deleteUploads: true }
  | { readonly step: "reload-and-redo"; readonly deleteUploads: true }
  | { readonly step: "superseded" }
  | { readonly step: "upload-again" }
  | { readonly step: "unknown"; readonly cause: unknown }
  | { readonly step: "broken" };

export function afterPut(batchId: number, attemptId: string, ownGeneration: number, result: PutResult): PutStep {
  if (result.outcome === "applied") return { step: "committed" };
  if (result.outcome === "stale-uploads") return { step: "upload-again" };
  if (result.outcome === "unknown") return { step: "unknown", cause: result.cause };
  const existing = result.existing;
  if (existing === null || existing.batchId < batchId) return { step: "broken" };
  if (existing.batchId === batchId && existing.attemptId === attemptId) return { step: "committed" };
  if (existing.generation > ownGeneration) return { step: "superseded" };
  if (existing.batchId === batchId) return { step: "apply-and-redo", entry: existing, deleteUploads: true };
  return { step: "reload-and-redo", deleteUploads: true };
}

/** Rule 7. `deleteUploads` only if the update was sent exactly once: a retry's refusal may follow its own success [CE5]. */
type MoveStep =
  | { readonly step: "installed" }
  | { readonly step: "lost"; readonly knownSnap: number; readonly deleteUploads: boolean }
  | { readonly step: "superseded" }
  | { readonly step: "upload-again" }
  | { readonly step: "unknown"; readonly cause: unknown };

export function afterMove(manifestKey: string, ownGeneration: number, result: MoveResult): MoveStep {
  if (result.outcome === "applied") return { step: "installed" };
  if (result.outcome === "stale-uploads") return { step: "upload-again" };
  if (result.outcome === "unknown") return { step: "unknown", cause: result.cause };
  const existing = result.existing;
  if (existing?.manifestKey === manifestKey) return { step: "installed" };
  if ((existing?.generation ?? 0) > ownGeneration) return { step: "superseded" };
  return { step: "lost", knownSnap: existing?.batchId ?? 0, deleteUploads: result.sentOnce };
}

/** Rule 7: compaction falls to one committer in R/2; to any at the hard limit. */
export const isCompactionTurn = (batchId: number, ringSize: number): boolean =>
  batchId % Math.max(1, Math.floor(ringSize / 2)) === 0;
