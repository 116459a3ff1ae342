import { mutant } from "./mutant.js";

const RING = "lib/checkpoint/commit-ring.ts";
const COMMIT = "lib/checkpoint/ring-commit.ts";

/** Changes of what is decided before and after the put of an entry. */
export const COMMIT_MUTANTS = [
  mutant("forgets the attempt id", "rule 6, CE3a: whatever stands at n is mine", [
    RING,
    "existing.batchId === batchId && existing.attemptId === attemptId",
    "existing.batchId === batchId",
  ]),
  mutant("takes newer for committed", "rule 6, CE3b: beyond n, so mine landed", [
    RING,
    'return { step: "reload-and-redo", deleteUploads: true };',
    'return { step: "committed" };',
  ]),
  mutant("takes no answer for committed", "rule 6: unknown", [
    RING,
    'if (result.outcome === "unknown") return { step: "unknown", cause: result.cause };\n  const existing = result.existing;\n  if (existing === null',
    'if (result.outcome === "unknown") return { step: "committed" };\n  const existing = result.existing;\n  if (existing === null',
  ]),
  mutant("deletes its uploads without an answer", "rule 6: delete nothing", [
    COMMIT,
    'case "unknown":\n',
    'case "unknown":\n      await deleteQuietly(ring, uploads.keys);\n',
  ]),
  mutant("mutates the base before the put", "rule 4, CE3d: the base stays untouched", [
    COMMIT,
    "    const outcome = await put(ring, cache, entry, uploads);",
    "    if (delta !== null) applyStateDelta(cache.state, asStored(changes, delta));\n    const outcome = await put(ring, cache, entry, uploads);",
  ]),
  mutant(
    "laps a batch too early",
    "rule 5: knownSnap ≥ n − R",
    [RING, "known.knownSnap < batchId - ringSize)", "known.knownSnap < batchId - ringSize - 1)"],
    // The assertion that would notice it before the simulator does.
    [RING, 'known.knownPub >= batchId - ringSize ? "put" : "broken"', '"put"'],
  ),
  mutant(
    "snapshots before it publishes",
    "rule 7, CE1",
    [COMMIT, "if (ring.cache!.pending.size > 0) {", "if (false) {"],
    [
      "lib/checkpoint/ring-snapshot.ts",
      'if (cache.pending.size > 0) throw internalError("snapshot-before-publish", "A snapshot would hide staged output.");',
      "",
    ],
  ),
  mutant("deletes objects of the entry that stands", "rule 10: only once overwritten", [
    COMMIT,
    "overwritten(ring, batchId - ring.options.ringSize);",
    "overwritten(ring, batchId - ring.options.ringSize + 1);",
  ]),
  mutant("names objects after the version", "rule 1: random per upload", [
    "lib/checkpoint/ring.ts",
    "objectKey(ring.options.query, ring.at, kind, ring.options.newId());",
    "objectKey(ring.options.query, ring.at, kind, String(ring.cache?.version ?? 0));",
  ]),
  mutant(
    "ignores generations of entries",
    "rule 13",
    [RING, 'if (item.generation > ownGeneration) return "superseded";', ""],
    [RING, 'if (existing.generation > ownGeneration) return { step: "superseded" };', ""],
  ),
  mutant(
    "ignores the snapshot's generation",
    "rule 13, CE10",
    [
      "lib/checkpoint/ring-load.ts",
      "if (pointer !== null && pointer.generation > ring.options.generation) throw supersede(ring);",
      "",
    ],
    [
      "lib/checkpoint/ring-snapshot.ts",
      "if (pointer !== null && pointer.generation > ring.options.generation) throw supersede(ring);",
      "",
    ],
    [RING, 'if ((existing?.generation ?? 0) > ownGeneration) return { step: "superseded" };', ""],
  ),
  mutant("starts every incarnation's meta at revision 1", "rule 13: a slept compare-and-set over a reset", [
    "lib/checkpoint/open-query.ts",
    "revision: Number(meta.incarnation)",
    "revision: 1",
  ]),
];
