import { mutant } from "./mutant.js";

const PUBLISH = "lib/checkpoint/ring-publish.ts";

/** Changes of what is published, and when an invocation may say that it succeeded. */
export const PUBLISH_MUTANTS = [
  mutant("succeeds at the deadline with output left", "rule 9", [
    PUBLISH,
    "if (deadlineReached()) throw incomplete(ring, batchId);",
    "if (deadlineReached()) return;",
  ]),
  mutant("succeeds unpublished when nothing is fresh", "rule 9: also when no records remained", [
    "lib/runtime/micro-batch.ts",
    "if (progress === null) await publishPending(runtime, partition, deadline);",
    "",
  ]),
  mutant("leaves the output of others to them", "rule 3: add outbox(n) to pending", [
    "lib/checkpoint/ring-load.ts",
    "  advance(ring, cache, entry, delta);\n  return true;",
    "  advance(ring, cache, entry, delta);\n  cache.pending.delete(entry.batchId);\n  return true;",
  ]),
  mutant("counts the lowest pending as published", "rule 8: knownPub", [
    "lib/checkpoint/ring.ts",
    "lowest === undefined ? cache.version : lowest - 1",
    "lowest === undefined ? cache.version : lowest",
  ]),
  mutant("records more than it published", "rule 9: p = knownPub", [
    PUBLISH,
    "const position = positionOf(ring.known);",
    "const position = positionOf({ knownPub: ring.cache!.version, knownStep: 0 });",
  ]),
  mutant("records in the entry that it published itself", "rule 8: publishedThrough of an entry", [
    "lib/checkpoint/ring-commit.ts",
    "publishedThrough: ring.known.knownPub,",
    "publishedThrough: batchId,",
  ]),
  mutant("leaves the incarnation out of output keys", "rule 1: the identity", [
    "lib/sinks/output-keys.ts",
    "keySegment(identity.incarnation)",
    '"all"',
  ]),
];
