import { externalError, internalError, TidemarkError } from "../errors.js";
import { isCompactionTurn, slotOf } from "./commit-ring.js";
import { decodeOutbox } from "./outbox-codec.js";
import { type Ring, type RingCache, settlePublished } from "./ring.js";
import { snapshot } from "./ring-snapshot.js";
import type { Publisher } from "./state-partition.js";
import type { StoredBlob } from "./stored-blob.js";
import { deleteQuietly, fetchBlob } from "./stored-blobs.js";

/**
 * Rules 8 and 9. Ascending, content from the stored entry alone. When it stops early, or published for others without
 * committing anything that would show it, the progress is recorded on the snapshot item.
 */
export async function publishPending(ring: Ring, publisher: Publisher, deadlineReached: () => boolean): Promise<void> {
  const cache = ring.cache!;
  let published = 0;
  try {
    for (const [batchId, outbox] of [...cache.pending]) {
      if (deadlineReached()) throw incomplete(ring, batchId);
      await publishOne(ring, publisher, batchId, outbox);
      cache.pending.delete(batchId);
      published++;
      settlePublished(ring, cache);
    }
  } catch (error) {
    if (published > 0) await record(ring).catch(() => undefined);
    throw error;
  }
  if (published > 0 && !ring.committedSinceLoad) await record(ring);
}

async function publishOne(ring: Ring, publisher: Publisher, batchId: number, outbox: StoredBlob): Promise<void> {
  const bytes = await fetchBlob(ring, outbox);
  if (bytes === null) return assertOverwritten(ring, batchId);
  const { query, incarnation, partition } = ring.options;
  await publisher({ query, incarnation, partition, batchId }, decodeOutbox(bytes));
}

/** Rule 10: an outbox object goes only after its slot was overwritten, which needed it published. */
async function assertOverwritten(ring: Ring, batchId: number): Promise<void> {
  const item = await ring.options.log.readSlot(ring.at, slotOf(batchId, ring.options.ringSize));
  if (item !== null && item.batchId > batchId) return;
  throw internalError("outbox-gone", `The staged output of batch ${batchId} is gone, and its entry still stands.`);
}

const record = (ring: Ring): Promise<void> => ring.options.log.raisePublishedThrough(ring.at, ring.known.knownPub);

const incomplete = (ring: Ring, batchId: number) =>
  externalError(
    "publish-incomplete",
    `Output of ${ring.options.query} from batch ${batchId} on is committed and not published yet.`,
    "The next invocation goes on from there.",
  );

/** After everything is published: compaction in turn (rule 7), then deletions that are due; all of it can wait for another turn. */
export async function maintain(ring: Ring, deadlineReached: () => boolean): Promise<void> {
  const cache = ring.cache as RingCache;
  if (deadlineReached()) return;
  if (ring.committedSinceLoad && isCompactionTurn(cache.version, ring.options.ringSize)) {
    try {
      await snapshot(ring, "compaction");
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
