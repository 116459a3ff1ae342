import { externalError, internalError, userError } from "../errors.js";
import { applyStateDelta } from "../state/committed-state.js";
import type { StateDelta } from "../state/state-delta.js";
import { afterPut, beforePut, expectedOccupant, slotOf } from "./commit-ring.js";
import { asStored, encodeDelta } from "./delta-codec.js";
import { decodeEntry, encodeEntry, type LogEntry } from "./entry-codec.js";
import type { Outbox } from "./outbox-writer.js";
import { changedRegisters } from "./registers.js";
import { type Ring, type RingCache, settlePublished, supersede } from "./ring.js";
import { advance, applyEntry, catchUp, loadCold } from "./ring-load.js";
import { publishPending } from "./ring-publish.js";
import { snapshot } from "./ring-snapshot.js";
import type { CommitOutcome, EntryDraft, Publisher } from "./state-partition.js";
import type { StoredBlob } from "./stored-blob.js";
import { deleteQuietly, fetchBlob, noUploads, type Uploads, upload } from "./stored-blobs.js";

/** After a conflict, this many loads read first (DESIGN.md section 3): the other writer is probably still there. */
const READ_FIRST_LOADS = 8;
const MAX_UPLOADS = 3;
/** Fields of an item beside its blobs, roughly: they count against the inline limit too. */
const FIELDS_BYTES = 512;

interface Publishing {
  readonly publisher: Publisher | undefined;
  readonly deadlineReached: () => boolean;
}

/** Rules 5 and 6 for n = version + 1. */
export async function commitEntry(
  ring: Ring,
  { outbox, ...draft }: EntryDraft & { readonly outbox: Outbox },
  changes: StateDelta,
  publishing: Publishing,
): Promise<CommitOutcome> {
  const batchId = ring.cache!.version + 1;
  if (beforePut(batchId, ring.options.ringSize, ring.known) === "snapshot-first") {
    if ((await makeRoom(ring, publishing)) === "reloaded") return "conflict";
  }
  if (beforePut(batchId, ring.options.ringSize, ring.known) !== "put") {
    throw internalError("ring-broken", `Batch ${batchId} would overwrite an entry that no published snapshot covers.`);
  }
  const cache = ring.cache!;
  const delta = changes.size === 0 ? null : encodeDelta(changes);
  for (let attempt = 0; attempt < MAX_UPLOADS; attempt++) {
    const uploads = attempt === 0 ? outbox.uploads : await uploadAgain(ring, outbox);
    const entry: LogEntry = {
      ...draft,
      batchId,
      attemptId: ring.options.newId(),
      generation: ring.options.generation,
      registers: changedRegisters(cache.registers, draft.registers),
      publishedThrough: ring.known.knownPub,
      ...(await store(ring, uploads, delta, outbox)),
    };
    const outcome = await put(ring, cache, entry, uploads);
    if (outcome === "committed") {
      if (delta !== null) applyStateDelta(cache.state, asStored(changes, delta));
      advance(ring, cache, entry, delta);
      settlePublished(ring, cache);
      overwritten(ring, batchId - ring.options.ringSize);
      ring.committedSinceLoad = true;
    }
    if (outcome !== "upload-again") return outcome;
  }
  throw tooSlow(ring);
}

const tooSlow = (ring: Ring): Error =>
  externalError(
    "uploads-too-slow",
    `A batch of ${ring.options.query} could not be committed within 15 minutes of its uploads.`,
    "It is retried; look at the latency of S3 and DynamoDB.",
  );

/**
 * Rule 5: the slot may be overwritten only once a snapshot covers it, which in turn needs everything published. What does not fit in the
 * time that is left is recorded, and nothing is committed (rule A8).
 */
async function makeRoom(ring: Ring, { publisher, deadlineReached }: Publishing): Promise<"done" | "reloaded"> {
  if (ring.cache!.pending.size > 0) {
    if (publisher === undefined) {
      throw internalError("publish-first", "The ring is about to lap over output that is not published yet.");
    }
    await publishPending(ring, publisher, deadlineReached);
  }
  return snapshot(ring, "lap");
}

/** Packs that were uploaded too long ago to be named, under new keys. */
async function uploadAgain(ring: Ring, outbox: Outbox): Promise<Uploads> {
  const uploads = noUploads();
  for (const [at, { blob, steps }] of outbox.packs.entries()) {
    const bytes = await fetchBlob(ring, blob);
    if (bytes === null) throw tooSlow(ring);
    outbox.packs[at] = { blob: await upload(ring, uploads, "outbox", bytes), steps };
  }
  return uploads;
}

/** What exceeds the inline limit becomes an object, the larger of the two first. Packs that are full are objects already. */
async function store(
  ring: Ring,
  uploads: Uploads,
  delta: Uint8Array | null,
  outbox: Outbox,
): Promise<Pick<LogEntry, "delta" | "outbox">> {
  const limit = ring.options.inlineLimitBytes - FIELDS_BYTES;
  const last = outbox.last();
  const [d, o] = [delta?.length ?? 0, last?.bytes.length ?? 0];
  const deltaOut = d > 0 && d + o > limit && (d >= o || d > limit);
  const lastOut = o > 0 && d + o > limit && (o > d || o > limit);
  const place = async (kind: "delta" | "outbox", bytes: Uint8Array, out: boolean): Promise<StoredBlob> =>
    out ? upload(ring, uploads, kind, bytes) : { inline: bytes };
  const [storedDelta, storedLast] = await Promise.all([
    delta === null ? null : place("delta", delta, deltaOut),
    last === null ? null : place("outbox", last.bytes, lastOut),
  ]);
  const open = storedLast === null ? [] : [{ blob: storedLast, steps: last!.steps }];
  return { delta: storedDelta, outbox: [...outbox.packs, ...open] };
}

async function put(
  ring: Ring,
  cache: RingCache,
  entry: LogEntry,
  uploads: Uploads,
): Promise<CommitOutcome | "upload-again"> {
  const { log, ringSize, generation } = ring.options;
  const { batchId, attemptId } = entry;
  const slot = slotOf(batchId, ringSize);
  const result = await log.putSlot(ring.at, slot, encodeEntry(entry), expectedOccupant(batchId, ringSize), uploads);
  const step = afterPut(batchId, attemptId, generation, result);
  switch (step.step) {
    case "committed":
    case "upload-again":
      return step.step;
    case "superseded":
      throw supersede(ring);
    case "unknown":
      ring.readFirst = Math.max(ring.readFirst, 1);
      if (isDenied(step.cause))
        throw externalError(
          "commit-denied",
          `The function may not write the checkpoint of ${ring.options.query}.`,
          "Permit dynamodb:PutItem on the checkpoint's table for the query's keys; the records come again until then.",
          step.cause,
        );
      throw externalError(
        "commit-unknown",
        `Whether batch ${batchId} of ${ring.options.query} was committed is not known.`,
        "It is retried: if it was, its records are skipped and its output is published then.",
        step.cause,
      );
    case "broken":
      throw internalError("ring-broken", `Slot ${slot} does not hold what batch ${batchId} must overwrite.`);
    default:
      ring.readFirst = READ_FIRST_LOADS;
      await deleteQuietly(ring, uploads.keys);
      await follow(ring, cache, step.step === "apply-and-redo" ? decodeEntry(step.entry) : null);
      return "conflict";
  }
}

/** The winner's entry onto the untouched base, and whatever came after it. */
async function follow(ring: Ring, cache: RingCache, winner: LogEntry | null): Promise<void> {
  const applied = winner !== null && (await applyEntry(ring, cache, winner));
  if (!applied || (await catchUp(ring, cache)) === "restart") await loadCold(ring);
}

/** Rule 10: objects of n - R may go, for n stands in their slot now. */
function overwritten(ring: Ring, batchId: number): void {
  ring.garbage.push(...(ring.objectsOfEntry.get(batchId) ?? []));
  for (const known of ring.objectsOfEntry.keys()) if (known <= batchId) ring.objectsOfEntry.delete(known);
}

/** What shrinks a state that is too large already (the limit was lowered, with the function's memory) is let through: it is the way out. */
export function checkStateBytes(ring: Ring, stateBytes: number): void {
  const { maxStateBytes, query } = ring.options;
  if (stateBytes <= Math.max(maxStateBytes, ring.cache!.state.bytes)) return;
  throw userError(
    "state-too-large",
    `The state of ${query} would grow to ${stateBytes} bytes, above maxStateBytes = ${maxStateBytes}.`,
    "Give the function more memory, raise maxStateBytes, shorten the delay threshold, or use more state partitions.",
  );
}

/** A refusal of DynamoDB's, by the name of its error: no attempt was applied, unless one before it was, which is found out as ever. */
const isDenied = (cause: unknown): boolean =>
  ["AccessDeniedException", "UnrecognizedClientException"].includes(String((cause as { name?: unknown } | null)?.name));
