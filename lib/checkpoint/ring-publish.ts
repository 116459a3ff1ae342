import { externalError, internalError, TidemarkError } from "../errors.js";
import { isCompactionTurn, learnPointer, raise, slotOf } from "./commit-ring.js";
import { decodePack } from "./outbox-codec.js";
import { positionOf } from "./published-position.js";
import { type Ring, type RingCache, settlePublished } from "./ring.js";
import { snapshot } from "./ring-snapshot.js";
import type { SnapshotPurpose } from "./snapshot-writer.js";
import type { Publisher } from "./state-partition.js";
import type { Pack } from "./stored-blob.js";
import { deleteQuietly, fetchBlob } from "./stored-blobs.js";

/** Rule A7: during long publication progress is recorded this often, so that a killed invocation loses no more. */
const RECORD_EVERY_MS = 1_000;

/**
 * Rules 8, 9 and A4: ascending, step after step, content from the stored entry alone. When it stops early, or published for others without
 * committing anything that would show it, the progress is recorded on the snapshot item.
 */
export async function publishPending(ring: Ring, publisher: Publisher, deadlineReached: () => boolean): Promise<void> {
  const cache = ring.cache!;
  const recorder = progressRecorder(ring);
  try {
    for (const [batchId, packs] of [...cache.pending]) {
      await publishEntry(ring, { batchId, packs }, publisher, deadlineReached, recorder);
      settlePublished(ring, cache);
    }
  } catch (error) {
    await recorder.record();
    throw error;
  }
  if (!ring.committedSinceLoad) await recorder.record();
}

/** From the first step that is not known to be done; what others record meanwhile counts too. */
async function publishEntry(
  ring: Ring,
  { batchId, packs }: { readonly batchId: number; readonly packs: readonly Pack[] },
  publisher: Publisher,
  deadlineReached: () => boolean,
  recorder: ProgressRecorder,
): Promise<void> {
  const { query, incarnation, partition } = ring.options;
  const isDone = (step: number) =>
    ring.known.knownPub >= batchId || (ring.known.knownPub === batchId - 1 && ring.known.knownStep >= step);
  let step = 0;
  for (const { blob, steps: count } of packs) {
    if (count !== null && isDone(step + count)) {
      step += count;
      continue;
    }
    const bytes = await fetchBlob(ring, blob);
    if (bytes === null) {
      await assertOverwritten(ring, batchId);
      break;
    }
    for (const parts of decodePack(bytes)) {
      step++;
      if (isDone(step)) continue;
      if (deadlineReached()) throw incomplete(ring, batchId);
      await publisher({ query, incarnation, partition, batchId }, parts);
      ring.known = raise(ring.known, { knownPub: batchId - 1, knownStep: step });
      await recorder.afterStep();
    }
  }
  ring.known = raise(ring.known, { knownPub: batchId });
}

/** Rules A6 and 10: an outbox object goes only after its slot was overwritten, which needed all of it published. */
async function assertOverwritten(ring: Ring, batchId: number): Promise<void> {
  const item = await ring.options.log.readSlot(ring.at, slotOf(batchId, ring.options.ringSize));
  if (item !== null && item.batchId > batchId) return;
  throw internalError("outbox-gone", `The staged output of batch ${batchId} is gone, and its entry still stands.`);
}

interface ProgressRecorder {
  afterStep(): Promise<void>;
  /** Writes nothing where nothing was reached since. */
  record(): Promise<void>;
}

/** Rules A2 and A7. A refusal teaches how far others are; what is not known to be recorded only costs repeats. */
function progressRecorder(ring: Ring): ProgressRecorder {
  let recorded = positionOf(ring.known);
  let at = ring.options.now();
  const record = async (): Promise<void> => {
    const position = positionOf(ring.known);
    at = ring.options.now();
    if (position <= recorded) return;
    recorded = position;
    try {
      ring.known = learnPointer(ring.known, await ring.options.log.raisePublished(ring.at, position));
    } catch {
      // The next record, or the next entry, says it again.
    }
  };
  return {
    record,
    afterStep: async () => (ring.options.now() - at >= RECORD_EVERY_MS ? record() : undefined),
  };
}

const incomplete = (ring: Ring, batchId: number) =>
  externalError(
    "publish-incomplete",
    `Output of ${ring.options.query} from batch ${batchId} on is committed and not published yet.`,
    "The next invocation goes on from there.",
  );

/** By count, as rule 7 has it, and by what a cold load would have to read. */
function snapshotDue(ring: Ring, { version, recent }: RingCache): SnapshotPurpose | null {
  if (isCompactionTurn(version, ring.options.ringSize)) return "compaction";
  return recent.reduce((sum, { bytes }) => sum + bytes, 0) > ring.options.maxRecentBytes ? "early" : null;
}

/** After everything is published: compaction in turn (rule 7), then deletions that are due; all of it can wait for another turn. */
export async function maintain(ring: Ring, deadlineReached: () => boolean): Promise<void> {
  const cache = ring.cache as RingCache;
  if (deadlineReached()) return;
  const purpose = !ring.committedSinceLoad ? null : snapshotDue(ring, cache);
  if (purpose !== null) {
    try {
      await snapshot(ring, purpose);
    } catch (error) {
      // All is committed and published; another turn will come.
      if (!(error instanceof TidemarkError && error.retry)) throw error;
    }
  }
  ring.committedSinceLoad = false;
  const due = ring.garbage;
  ring.garbage = [];
  await deleteQuietly(ring, due);
}
