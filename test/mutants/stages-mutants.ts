import { type Mutant, mutant } from "./mutant.js";

const RECEIVE = "lib/runtime/stages/receive-records.ts";
const EVIDENCE = "lib/runtime/stages/merge-evidence.ts";
const STATE = "lib/runtime/stages/state-batch.ts";
const FIRST = "lib/runtime/stages/first-entry.ts";
const REGISTERS = "lib/runtime/shard-registers.ts";
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
  mutant(
    "CS5 believes that no last record is lost",
    "S14",
    [RECEIVE, "const missing = missingOf(head, known);", "const missing: string | null = null;"],
    [RECEIVE, "follows(head, position) ? missingParent(head, known)", "follows(head, position) ? null"],
  ),
  mutant("CS6 names a head that is committed and not published", "S10", [
    FIRST,
    "  await publishPending(stage.runtime, ring, null);\n",
    "",
  ]),
  mutant("CS7 looks before it publishes", "S10", [
    FIRST,
    "  await publishPending(stage.runtime, ring, null);\n  return ring.position().version;",
    "  return 0;",
  ]),
  mutant("CS8 takes a look at a child for its first record", "S16", [
    REGISTERS,
    "(registers.perShard[shardKey(source, shard)]?.newestArrival ?? 0) > 0,",
    "registers.perShard[shardKey(source, shard)] !== undefined,",
  ]),
  mutant("CS9 sends a child's first entry without the list", "S7", [
    FIRST,
    '...(rules.sources.get(source)?.across === "max" ? {} : { list: listed }),',
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
  mutant("CS15 answers a repeat before all is published", "S9", [
    "lib/runtime/stages/shuffle-batch.ts",
    "  if (progress === null) await publishPending(runtime, ring, deadline);\n",
    "",
  ]),
  mutant("CS16 forgets a retired ring with its id", "S19", [
    RECEIVE,
    "    if (isRetired(registers, key)) {",
    "    if (key === null) {",
  ]),
  mutant("CS17 takes an entry of the incarnation before for its own", "S13", [
    RECEIVE,
    "if (head.incarnation < reader.incarnation) {",
    'if (head.incarnation === "") {',
  ]),
  mutant("CS18 asks for the next entry, whatever is left of the last", "S13", [
    RECEIVE,
    "(batchId === position.batchId + 1 && part === 1 && isComplete(position));",
    "batchId === position.batchId + 1;",
  ]),
  mutant(
    "CS19 drops that a shard is closed where no watermark moves",
    "S15",
    [STATE, "run.registers.rings !== position.registers.rings ||", ""],
    [
      "lib/runtime/probe-shards.ts",
      "[shard, [...parents], drained === true]",
      "[shard, [...parents], drained === null]",
    ],
  ),
  mutant(
    "CS20 lets a parent leave before its last entry came",
    "S7, S14",
    [RECEIVE, "follows(head, position) ? missingParent(head, known)", "follows(head, position) ? null"],
    [RECEIVE, "const missing = missingOf(head, known);", "const missing: string | null = null;"],
    [EVIDENCE, "if (look.closed) next", "if (look.closed || look.head > 0) next"],
  ),
];

export const STAGES_MUTANTS: readonly Mutant[] = CHANGES.map((change) => ({ ...change, world: "stages" }));
