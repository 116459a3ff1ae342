import { internalError } from "../errors.js";
import { type StagedOverlay, stageState } from "../state/staged-state.js";
import { decodeEntry } from "./entry-codec.js";
import { MAX_RUNS } from "./offsets.js";
import { newOutbox, type Outbox } from "./outbox-writer.js";
import { positionOf as publishedPosition } from "./published-position.js";
import { newRing, type Ring, type RingCache, type RingOptions, supersede } from "./ring.js";
import { checkStateBytes, commitEntry } from "./ring-commit.js";
import { catchUp, loadCold, lookCold } from "./ring-load.js";
import { maintain, publishPending } from "./ring-publish.js";
import type { PartitionPosition, StagedState, StatePartition } from "./state-partition.js";

export const RING_SIZE = 64;
const INLINE_LIMIT_BYTES = 8 * 1024;
const PACK_BYTES = 4 * 1024 * 1024;
const MAX_RECENT_BYTES = 64 * 1024 * 1024;

/** The options of a ring, those with a default left out at will. */
export type StatePartitionOptions = Omit<RingOptions, Defaulted> & Partial<Pick<RingOptions, Defaulted>>;

type Defaulted = "ringSize" | "maxRuns" | "inlineLimitBytes" | "maxStateBytes" | "packBytes" | "maxRecentBytes";

/** A state partition over a checkpoint log and an object store: protocol.md rules 2–10. One per environment; not reentrant. */
export function openStatePartition(options: StatePartitionOptions): StatePartition {
  const ring = newRing({
    ringSize: RING_SIZE,
    maxRuns: MAX_RUNS,
    inlineLimitBytes: INLINE_LIMIT_BYTES,
    maxStateBytes: Number.POSITIVE_INFINITY,
    packBytes: PACK_BYTES,
    maxRecentBytes: MAX_RECENT_BYTES,
    ...options,
  });
  const stagedAt = new WeakMap<StagedState, { readonly overlay: StagedOverlay; readonly version: number }>();

  const outboxes = new WeakMap<object, Outbox>();

  return {
    async load({ fresh = false } = {}) {
      if (ring.superseded) throw supersede(ring);
      ring.committedSinceLoad = false;
      const coldStart = ring.cache === null;
      if (ring.cache === null) await loadCold(ring);
      else if (fresh || ring.readFirst > 0) {
        if ((await catchUp(ring, ring.cache)) === "restart") await loadCold(ring);
      }
      if (ring.readFirst > 0) ring.readFirst--;
      return { coldStart };
    },
    async look() {
      if (ring.superseded) throw supersede(ring);
      if (ring.cache !== null) return null;
      const cache = await lookCold(ring);
      return { position: positionOf(cache), pending: cache.pending.size > 0 };
    },
    position: () => positionOf(loaded(ring)),
    unpublished: () => loaded(ring).pending.size,
    stage() {
      const cache = loaded(ring);
      const overlay = stageState(cache.state);
      stagedAt.set(overlay, { overlay, version: cache.version });
      return overlay;
    },
    newOutbox() {
      const outbox = newOutbox(ring);
      outboxes.set(outbox, outbox);
      return outbox;
    },
    async commit(draft, staged, publisher, deadlineReached = () => false) {
      const cache = loaded(ring);
      const of = stagedAt.get(staged);
      if (of === undefined || of.version !== cache.version) {
        throw internalError("staged-elsewhere", "The staged state is not of the version that is to be committed on.");
      }
      checkStateBytes(ring, of.overlay.stateBytes);
      const outbox = outboxes.get(draft.outbox) ?? newOutbox(ring);
      if (Array.isArray(draft.outbox)) await outbox.add(draft.outbox);
      return commitEntry(ring, { ...draft, outbox }, of.overlay.delta(), { publisher, deadlineReached });
    },
    async publish(publisher, deadlineReached) {
      loaded(ring);
      await publishPending(ring, publisher, deadlineReached);
      await maintain(ring, deadlineReached);
    },
    async settle() {
      const { version } = loaded(ring);
      if (version > 0) await ring.options.log.raisePublished(ring.at, publishedPosition(ring.known));
    },
    async recentProgress() {
      const slots = Array.from({ length: ring.options.ringSize }, (_, slot) => slot);
      const items = await ring.options.log.readSlots(ring.at, slots);
      return items
        .filter((item) => item !== null)
        .sort((a, b) => a.batchId - b.batchId)
        .map((item) => decodeEntry(item).progress);
    },
  };
}

const positionOf = (cache: RingCache): PartitionPosition => {
  const { version, offsets, registers, lastPassWatermark, watermark } = cache;
  return { version, offsets, registers, lastPassWatermark, watermark };
};

function loaded(ring: Ring): RingCache {
  if (ring.superseded) throw supersede(ring);
  if (ring.cache === null) throw internalError("not-loaded", "The state partition was used before it was loaded.");
  return ring.cache;
}
