import { mutant } from "./mutant.js";

const ADOPT = "lib/plan/adopt-stored-ids.ts";

/** Changes of what a new version of a query takes for its own. */
export const IDENTITY_MUTANTS = [
  mutant(
    "tells equal operators apart by their order",
    "an operator is known by what feeds it",
    [
      "lib/plan/assign-operator-ids.ts",
      "const told = feeds.size > 1 ?",
      "const told = feeds.size > Number.MAX_SAFE_INTEGER ?",
    ],
    [ADOPT, "taken.set(node.operatorId, id);", "void node, id;"],
    [
      "lib/plan/check-compatible.ts",
      "if (old.from !== undefined && !old.from.every(",
      "if (old.id.length === 0 && !old.from!.every(",
    ],
  ),
  mutant(
    "reads the accumulators of a group in the order in which they are asked for",
    "an accumulator is known by what it computes",
    [ADOPT, "if (stored?.accumulators === undefined) return node;", "if (stored?.id !== undefined) return node;"],
    [
      "lib/plan/check-compatible.ts",
      "if (old.accumulators !== undefined && !equal(",
      "if (old.id.length === 0 && !equal(",
    ],
    ["lib/plan/check-compatible.ts", "if (!equal(old.value, same.value)) {", "if (old.id.length === 0) {"],
  ),
  mutant("publishes to the sink that stands what was committed for another", "output belongs to its sink", [
    "lib/runtime/publish-pending.ts",
    "const isFor = (part: OutboxPart, sink: Sink): boolean =>\n",
    "const isFor = (part: OutboxPart, sink: Sink): boolean =>\n  part !== null || sink !== null ||\n",
  ]),
  mutant("forgets for which sink output was committed", "output belongs to its sink", [
    "lib/runtime/output-stager.ts",
    "sink.target === undefined ? sink.stage(batch)",
    'sink.kind !== "" ? sink.stage(batch)',
  ]),
];
