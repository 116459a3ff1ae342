import { mutant } from "./mutant.js";

const PUBLISH = "lib/checkpoint/ring-publish.ts";
const RING = "lib/checkpoint/commit-ring.ts";
const LOG = "lib/checkpoint/memory-checkpoint-log.ts";

/** The drafts that the counterexamples of publication in steps answer (protocol.md, CE-S1 to CE-S6). */
export const STEP_MUTANTS = [
  mutant("ignores a position within another entry", "CE-S1: rule A3", [
    RING,
    "        knowledgeAt(pointer.published),\n",
    `        knowledgeAt(pointer.published).knownPub === Math.max(known.knownPub, pointer.batchId, pointer.publishedThrough)
          ? knowledgeAt(pointer.published)
          : {},\n`,
  ]),
  mutant("counts a step before it is out", "CE-S2: rule A4", [
    PUBLISH,
    `      await publisher({ query, incarnation, partition, batchId }, parts);
      ring.known = raise(ring.known, { knownPub: batchId - 1, knownStep: step });
`,
    `      ring.known = raise(ring.known, { knownPub: batchId - 1, knownStep: step });
      await publisher({ query, incarnation, partition, batchId }, parts);
`,
  ]),
  mutant("takes a failed step for done", "CE-S2: rule A4", [
    PUBLISH,
    "await publisher({ query, incarnation, partition, batchId }, parts);",
    "await publisher({ query, incarnation, partition, batchId }, parts).catch(() => undefined);",
  ]),
  mutant("begins a step before the one before it is done", "CE-S2: rule A4", [
    PUBLISH,
    "await publisher({ query, incarnation, partition, batchId }, parts);",
    "publisher({ query, incarnation, partition, batchId }, parts).catch(() => undefined);",
  ]),
  mutant(
    "lets the position outlive its incarnation",
    "CE-S2: rule A3",
    [LOG, "at.incarnation}#", "at.incarnation.slice(0, 0)}#"],
    [LOG, "pointerAt(at)}#", "at.incarnation}#"],
  ),
  mutant("divides a stored pack by its own measure", "CE-S3: rule A9", [
    "lib/checkpoint/outbox-codec.ts",
    "return steps.map((length) => {",
    "return (parts.length > 2 ? [1, parts.length - 1] : steps).map((length) => {",
  ]),
  mutant("records no position where none stands", "CE-S4: rule A2", [
    LOG,
    "if (existing.published >= published) return existing;",
    "if (existing.published >= published || existing.published === 0) return existing;",
  ]),
  mutant("takes the first snapshot's place for the item's", "CE-S4, CE9: rule 7", [
    LOG,
    "if ((existing?.manifestKey ?? null) !== expectedManifestKey) {",
    'if ((existing === null ? null : (existing.manifestKey ?? "")) !== expectedManifestKey) {',
  ]),
  mutant("keeps steps without their entry", "CE-S5: rule A1", [
    RING,
    "        knowledgeAt(pointer.published),\n",
    "        { knownPub: pointer.batchId, knownStep: knowledgeAt(pointer.published).knownStep },\n",
  ]),
  mutant("wipes the position with a snapshot", "CE-S6: rule A2", [
    LOG,
    "pointers.set(pointerAt(at), { ...next, publishedThrough, published });",
    "pointers.set(pointerAt(at), { ...next, publishedThrough, published: Math.min(published, 0) });",
  ]),
  mutant("keeps its steps when another entry is known to be out", "CE-S6: rule A3", [
    RING,
    "if (knownPub > known.knownPub) return { knownSnap, knownPub, knownStep };",
    "if (knownPub > known.knownPub) return { knownSnap, knownPub, knownStep: Math.max(knownStep, known.knownStep) };",
  ]),
  mutant("lets a late record take the position back", "CE-S6: rule A2", [
    LOG,
    "if (existing.published >= published) return existing;",
    "if (existing.published === published) return existing;",
  ]),
] as const;
