import { mutant } from "./mutant.js";

/** Changes of how committed output gets out. */
export const SINK_MUTANTS = [
  mutant("forgets the records that a stream refused", "rule 9: success only once all is published", [
    "lib/sinks/kinesis-sink.ts",
    "      left = left.filter((_, at) => codes[at] !== null);\n",
    "      left = codes.length > 0 ? [] : left;\n",
  ]),
  mutant("takes a failed foreachBatch for done", "rule 9", [
    "lib/sinks/foreach-batch-sink.ts",
    "        if (cause instanceof TidemarkError) throw cause;\n        throw externalError(",
    "        if (cause !== null) return;\n        throw externalError(",
  ]),
  mutant("lets an older batch overwrite a newer item", "rule 12: with no time horizon", [
    "lib/sinks/memory-table.ts",
    "(standing.incarnation === incarnation && standing.batchId < batchId)",
    "(standing.incarnation === incarnation && standing.batchId !== batchId)",
  ]),
  mutant("lets an older incarnation overwrite an item", "rule 1: the identity", [
    "lib/sinks/memory-table.ts",
    "standing.incarnation < incarnation ||",
    "standing.incarnation !== incarnation ||",
  ]),
  mutant("publishes results and forgets side outputs", "rule 9", [
    "lib/runtime/publish-pending.ts",
    'const OUTPUTS: readonly OutputName[] = ["result", "late", "malformed"];',
    'const OUTPUTS: readonly OutputName[] = ["result", "malformed"];',
  ]),
];
