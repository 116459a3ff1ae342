import { type Mutant, mutant } from "./mutant.js";

const RECEIVE = "lib/runtime/stages/receive-records.ts";
const _EVIDENCE = "lib/runtime/stages/merge-evidence.ts";
const STATE = "lib/runtime/stages/state-batch.ts";
const FIRST = "lib/runtime/stages/first-entry.ts";
const _REGISTERS = "lib/runtime/shard-registers.ts";
const PARTS = "lib/shuffle/shuffle-parts.ts";
const SINK = "lib/shuffle/shuffle-sink.ts";

/** The counterexamples of docs/design/partitions.md section 6 as changes of the code, played by the simulator of two stages. */
const CHANGES: readonly Mutant[] = [
  mutant(
    "CS1 acknowledges empty records without a commit",
    "S15",
    [
      STATE,
      "consumed.some(({ head }) => !isTick(head)) ||",
      "consumed.some(({ head }) => !isTick(head) && head.rows > 0) ||",
    ],
    [STATE, "run.registers.rings !== position.registers.rings ||", ""],
  ),
  mutant("CS2 compares with the committed position only", "S13", [
    RECEIVE,
    "const position = at(head.source, head.shard);\n",
    "const position = registers.rings[key] ?? NOTHING;\n",
  ]),
  mutant("CS3 lets a repeat move the position back", "S13", [
    RECEIVE,
    "      repeats.push(head);\n",
    "      repeats.push(head);\n      rings.set(key, positionAfter(head, position));\n      consumed.push(record);\n",
  ]),
  mutant("CS4 takes a late repeat for a stream made again", "S13, S23", [
    RECEIVE,
    "      repeats.push(head);\n",
    '      throw userError("source-recreated", "repeat", "none");\n',
  ]),
  mutant("CS6 names a head that is committed and not published", "S10", [
    FIRST,
    "  await publishPending(stage.runtime, ring, null);\n",
    "",
  ]),
  mutant("CS10 puts all parts in one call", "S8", [
    SINK,
    "    waves[record.part - 1] ??= [];\n    waves[record.part - 1]!.push(record);",
    "    waves[0] ??= [];\n    waves[0]!.push(record);",
  ]),
  mutant("CS11 sends the next entry before the last is acknowledged", "S8", [
    "lib/checkpoint/ring-publish.ts",
    "for (const [batchId, packs] of [...cache.pending]) {",
    "for (const [batchId, packs] of [...cache.pending].reverse()) {",
  ]),
  mutant("CS12 puts the marker into the first part", "S6", [
    PARTS,
    "const last = at === parts.length - 1;",
    "const last = at === 0;",
  ]),
  mutant("CS13 tells only partitions that have rows", "S6", [
    PARTS,
    "const last = at === parts.length - 1;",
    "const last = at === parts.length - 1 && part.length > 0;",
  ]),
  mutant("CS14 spreads rows otherwise under new code", "S3, S5", [
    "lib/runtime/stages/open-staged-query.ts",
    "rowPartitions(columns, cut.sources.length, count, seed)",
    "rowPartitions(columns, cut.sources.length, count, seed + checkpoint.generation)",
  ]),
  mutant("CS18 asks for the next entry, whatever is left of the last", "S13", [
    RECEIVE,
    "(batchId === position.batchId + 1 && part === 1 && isComplete(position));",
    "batchId === position.batchId + 1;",
  ]),
];

export const STAGES_MUTANTS: readonly Mutant[] = CHANGES.map((change) => ({ ...change, world: "stages" }));
