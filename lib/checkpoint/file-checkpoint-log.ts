import { join } from "node:path";
import { decodeRow, encodeRow } from "../state/row-codec.js";
import {
  type CheckpointLog,
  type MetaItem,
  NO_POINTER,
  type PartitionKey,
  type PointerItem,
  type SlotItem,
} from "./checkpoint-log.js";
import { isStale } from "./upload-guard.js";
import { type VersionedFile, versionedFile } from "./versioned-file.js";

/** A pointer changes for two reasons, so its file is versioned by a counter of its own. */
type PointerFile = PointerItem & { readonly revision: number };

/** The items of one query as files of one directory on a local disk: `tidemark run --checkpoint DIR`, and a stopped run that resumes. */
export function fileCheckpointLog(directory: string, now: () => number): CheckpointLog {
  const meta = versionedFile(directory, "meta");
  const partition = (at: PartitionKey) => join(directory, at.incarnation, String(at.partition));
  const slotFile = (at: PartitionKey, slot: number) => versionedFile(partition(at), `slot-${slot}`);
  const pointerFile = (at: PartitionKey) => versionedFile(partition(at), "snapshot");

  const readSlot = (at: PartitionKey, slot: number) => readItem<SlotItem>(slotFile(at, slot));

  /** Files are numbered by themselves: two creators with different revisions must meet at one file. */
  const writeMeta = async (item: MetaItem, expectedRevision: number | null) => {
    const standing = await meta.read();
    const revision = standing === null ? null : (decodeRow(standing.bytes) as MetaItem).revision;
    const version = standing?.version ?? 0;
    const written = revision === expectedRevision && (await meta.write(version + 1, version, encodeRow(item)));
    return { written, meta: (await readItem<MetaItem>(meta)) ?? item };
  };

  /** Repeats `change` until no other writer came between reading and writing; `change` answers null to leave things as they are. */
  async function updatePointer(at: PartitionKey, change: (standing: PointerItem) => PointerItem | null) {
    const file = pointerFile(at);
    for (;;) {
      const standing = await readItem<PointerFile>(file);
      const next = change(standing === null ? NO_POINTER : withoutRevision(standing));
      if (next === null) return standing;
      const revision = (standing?.revision ?? 0) + 1;
      if (await file.write(revision, revision - 1, encodeRow({ ...next, revision }))) return "written";
    }
  }

  return {
    readMeta: () => readItem<MetaItem>(meta),
    async createMeta(item) {
      const { written, meta: standing } = await writeMeta(item, null);
      return { created: written, meta: standing };
    },
    async replaceMeta(item, expectedRevision) {
      const { written, meta: standing } = await writeMeta(item, expectedRevision);
      return { replaced: written, meta: standing };
    },
    async readPointer(at) {
      const standing = await readItem<PointerFile>(pointerFile(at));
      return standing === null ? null : withoutRevision(standing);
    },
    readSlot,
    readSlots: (at, slots) => Promise.all(slots.map((slot) => readSlot(at, slot))),
    async putSlot(at, slot, item, expected, guard) {
      if (isStale(guard, now())) return { outcome: "stale-uploads" };
      if (await slotFile(at, slot).write(item.batchId, expected ?? 0, encodeRow(item))) return { outcome: "applied" };
      return { outcome: "refused", existing: await readSlot(at, slot) };
    },
    async movePointer(at, next, expectedManifestKey, guard) {
      if (isStale(guard, now())) return { outcome: "stale-uploads" };
      const result = await updatePointer(at, (standing) =>
        standing.manifestKey === expectedManifestKey
          ? { ...next, publishedThrough: standing.publishedThrough, published: standing.published }
          : null,
      );
      if (result === "written") return { outcome: "applied" };
      return { outcome: "refused", existing: result && withoutRevision(result), sentOnce: true };
    },
    async raisePublished(at, published) {
      const result = await updatePointer(at, (standing) =>
        standing.published < published ? { ...standing, published } : null,
      );
      return result === "written" || result === null ? null : withoutRevision(result);
    },
  };
}

async function readItem<Item>(file: VersionedFile): Promise<Item | null> {
  const found = await file.read();
  return found === null ? null : (decodeRow(found.bytes) as Item);
}

/** A file of before publication in steps lacks `published`. */
function withoutRevision({ revision: _, ...pointer }: PointerFile): PointerItem {
  return { ...pointer, published: pointer.published ?? 0 };
}
