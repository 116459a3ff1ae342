import { mutant } from "./mutant.js";

const RING = "lib/checkpoint/commit-ring.ts";
const SNAPSHOT = "lib/checkpoint/ring-snapshot.ts";
const SWEEPER = "lib/checkpoint/sweeper.ts";

/** Changes of what is decided about snapshots, their objects and the sweeper. */
export const SNAPSHOT_MUTANTS = [
  mutant(
    "does not know its own manifest again",
    "rule 7, CE2",
    [RING, 'if (existing?.manifestKey === manifestKey) return { step: "installed" };', ""],
    [RING, "deleteUploads: result.sentOnce", "deleteUploads: true"],
  ),
  mutant("deletes objects that the new manifest keeps", "rule 7: objects(base) − objects(new)", [
    SNAPSHOT,
    ".filter((key) => !kept.has(key))",
    '.filter((key) => key !== "" || kept.has(key))',
  ]),
  mutant("moves the pointer whatever stands there", "rule 7: on condition manifestKey = base's key", [
    SNAPSHOT,
    "next, base.manifestKey, uploads)",
    "next, (await ring.options.log.readPointer(ring.at))?.manifestKey ?? null, uploads)",
  ]),
  mutant("drops runs that a reused segment lacks", "rule 7: a run is dropped only if its buckets are rewritten", [
    "lib/checkpoint/snapshot-plan.ts",
    "const touches = [...(base?.runs ?? []), touchedBuckets(changes)];",
    "const touches = [touchedBuckets(changes)];",
  ]),
  mutant("snapshots only what changed last", "rule 7: the last value per key of V+1 … n", [
    "lib/checkpoint/snapshot-writer.ts",
    "if (batchId <= version || delta === null) continue;",
    "if (batchId <= version || batchId !== cache.version || delta === null) continue;",
  ]),
  mutant("sweeps what only slots name", "rule 10: read all R slots", [
    SWEEPER,
    "for (const key of objectsOfEntry(decodeEntry(item))) named.add(key);",
    "objectsOfEntry(decodeEntry(item));",
  ]),
  mutant("sweeps what was uploaded just now", "rule 10: older than 48 h", [
    SWEEPER,
    "now - modified > SWEEP_AFTER_MS",
    "now - modified >= 0",
  ]),
  mutant(
    "lists last",
    "rule 10: the order of the sweeper's steps",
    [SWEEPER, "  const old = await listOld(objects, objectPrefix(query, at), options.newId());\n", ""],
    [
      SWEEPER,
      "  const deleted = old",
      "  const old = await listOld(objects, objectPrefix(query, at), options.newId());\n  const deleted = old",
    ],
  ),
  mutant("deletes its snapshot though the update was sent twice", "rule 7, CE5", [
    RING,
    "deleteUploads: result.sentOnce",
    "deleteUploads: true",
  ]),
  mutant("sweeps without the manifest", "rule 10: never go on without it", [
    SWEEPER,
    "if (bytes !== null) return [pointer.manifestKey, ...objectsOf(decodeManifest(bytes))];",
    "if (bytes === null) return [];\n    return [pointer.manifestKey, ...objectsOf(decodeManifest(bytes))];",
  ]),
  mutant("sends puts whatever the age of their uploads", "rule 5, CE6: the clock check", [
    "lib/checkpoint/upload-guard.ts",
    "now - guard.oldestUpload > MAX_UPLOAD_AGE_MS",
    "now < guard.oldestUpload",
  ]),
];
