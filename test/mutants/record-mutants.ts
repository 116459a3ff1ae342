import { mutant } from "./mutant.js";

const OFFSETS = "lib/checkpoint/offsets.ts";
const SKIP = "lib/runtime/skip-consumed.ts";

/** Changes of which records count as consumed, and of what they do to the watermark. */
export const RECORD_MUTANTS = [
  mutant("counts the last of a run again", "rule 4: inside a run", [
    OFFSETS,
    "comparePositions(at, run.last) <= 0);",
    "comparePositions(at, run.last) < 0);",
  ]),
  mutant("lets a run fall off and forgets it", "rule 4: through := its last", [
    OFFSETS,
    "through = through === null ? lowest.last : higher(through, lowest.last);",
    "through = through === null ? lowest.first : higher(through, lowest.first);",
  ]),
  mutant("lets the highest run fall off", "rule 4: the lowest-numbered falls off", [
    OFFSETS,
    "const lowest = runs.shift()!;",
    "const lowest = runs.pop()!;",
  ]),
  mutant(
    "lets the oldest run fall off, and through go down",
    "rule 4, CE7",
    [OFFSETS, "const runs = apart.sort((a, b) => comparePositions(a.first, b.first));", "const runs = apart;"],
    [OFFSETS, "through = through === null ? lowest.last : higher(through, lowest.last);", "through = lowest.last;"],
    [
      OFFSETS,
      "runs.at(-1)?.last ?? through;",
      "runs.reduce((high: Position | null, run) => (high === null ? run.last : higher(high, run.last)), through);",
    ],
  ),
  mutant("keeps too few runs", "rule 4, CE8", [OFFSETS, "while (runs.length > maxRuns)", "while (runs.length > 2)"]),
  mutant(
    "redoes a lost race without skipping anew",
    "rule 6: offsets decide what remains",
    [
      "lib/runtime/micro-batch.ts",
      "const { consumed, ...outOfOrder } = skipConsumed(input, position);",
      "const { consumed, ...outOfOrder } = (skippedOnce ??= skipConsumed(input, position));",
    ],
    [
      "lib/runtime/micro-batch.ts",
      "let failure: unknown;",
      "let failure: unknown;\n  let skippedOnce: Skipped | undefined;",
    ],
  ),
  mutant("compares numbers as text", "rule 4: as integers", [
    OFFSETS,
    "if (left.length !== right.length) return left.length - right.length;",
    "",
  ]),
  mutant("infers that everything below the newest is consumed", "rule 4: gaps", [
    SKIP,
    "if (isConsumed(offsets, record)) {",
    "if (highest !== null || isConsumed(offsets, record)) {",
  ]),
  mutant("records nothing for a delivery with repeats in it", "rule 4: [first delivered, last consumed]", [
    "lib/runtime/consumed-deliveries.ts",
    "some((mark) => mark === 0)",
    "every((mark) => mark === 0)",
  ]),
  mutant("records only the first of what it consumed", "rule 4: last consumed", [
    "lib/runtime/consumed-deliveries.ts",
    "last: { sequence: to.sequence, sub: to.sub }",
    "last: { sequence: from.sequence, sub: from.sub }",
  ]),
  mutant("forgets the sub-record at which it stopped", "rule 4: (sequence, sub)", [
    "lib/runtime/consumed-deliveries.ts",
    "last: { sequence: to.sequence, sub: to.sub }",
    "last: { sequence: to.sequence, sub: 0 }",
  ]),
  mutant("takes an aggregate for consumed once a part of it is", "rule 4: (sequence, sub)", [
    OFFSETS,
    "return a.sub - b.sub;",
    "return 0;",
  ]),
  mutant("records a delivery to its end though the batch stopped before it", "rule 4: last consumed", [
    "lib/runtime/consumed-deliveries.ts",
    "const end = Math.min(limit, range.end);",
    "const { end } = range;",
  ]),
  mutant("forgets which shards are retired", "rule 4: their records are skipped and counted ancient", [
    SKIP,
    "  isRetired(registers, shardKey(source, shard));",
    "  isRetired(registers, shardKey(source, shard)) && shard === source;",
  ]),
  mutant("takes a re-created stream's records for ancient", "rule 4: source-recreated", [
    SKIP,
    "refuseRecreated(delivery, records[at]!, newestArrival);",
    "refuseRecreated(delivery, records[at]!, undefined);",
  ]),
  mutant("takes a re-created stream's records for repeats", "rule 4: source-recreated", [
    SKIP,
    "if (record.arrival <= newestArrival + RECREATED_AFTER_MS) return;",
    "if (record.arrival >= 0) return;",
  ]),
  mutant(
    "takes a shard that lags for silent",
    "the evidence of a look: caught up",
    ["lib/runtime/probe-shards.ts", 'probe.found === "caught-up"', 'probe.found !== "closed"'],
    ["lib/runtime/probe-shards.ts", "probe.instant - CLOCK_MARGIN_MS", "ports.clock.now() - CLOCK_MARGIN_MS"],
  ),
  mutant("lets the fastest shard decide", "across: auto, the slowest live shard", [
    "lib/time/shard-watermark.ts",
    "shard.readThrough < slowest.readThrough",
    "shard.readThrough > slowest.readThrough",
  ]),
];
