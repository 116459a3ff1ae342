import { mutant } from "./mutant.js";

/** Changes of how committed output gets out. */
export const SINK_MUTANTS = [
  mutant("forgets the records that a stream refused", "rule 9: success only once all is published", [
    "lib/sinks/put-records.ts",
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
    "(standing.batchId < batchId || (standing",
    "(standing.batchId !== batchId || (standing",
  ]),
  mutant("folds items by their partition key alone", "E17: a table with a sort key", [
    "lib/sinks/dynamodb-sink.ts",
    "JSON.stringify(key.map((name) => item[name]))",
    "JSON.stringify(key.slice(0, 1).map((name) => item[name]))",
  ]),
  mutant("lets an older incarnation overwrite an item", "rule 1: the identity", [
    "lib/sinks/memory-table.ts",
    "standing.incarnation < incarnation ||",
    "standing.incarnation !== incarnation ||",
  ]),
  mutant("publishes results and forgets side outputs", "rule 9", [
    "lib/runtime/publish-pending.ts",
    "const sink = sinksOfOutput(",
    'if (parts[0]!.output === "late") return Promise.resolve();\n    const sink = sinksOfOutput(',
  ]),
];
