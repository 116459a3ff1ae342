import { mutant } from "./mutant.js";

const RUN = "lib/runtime/run-records.ts";
const MATCHING = "lib/operators/join-matching.ts";

/** Changes of what user functions that throw, and joins of streams, do to rows. */
export const ROW_MUTANTS = [
  mutant("gives up a whole batch for one row at which a function throws", "onError: that row alone is malformed", [
    RUN,
    "for (const [record, thrown] of failing) rejected.set(record, messageOf(thrown));",
    "for (let record = 0; record < limit; record++) rejected.set(record, messageOf(error));",
  ]),
  mutant("skips the row at which a function throws", "onError: fail stops at it", [
    RUN,
    'runtime.definition.options.onError === "malformed"',
    "runtime.definition.options.onError.length > 0",
  ]),
  mutant("keeps what a pass did before it threw", "onError: the overlay is thrown away", [
    RUN,
    "const staged = partition.stage();",
    "const staged = ((selection.rejected as { staged?: StagedState }).staged ??= partition.stage());",
  ]),
  mutant("takes a batch that stopped early for done", "onError: batchItemFailures", [
    "lib/runtime/micro-batch.ts",
    "stoppedAt = run?.counts.limit ?? ",
    "stoppedAt = ",
  ]),
  mutant("has the record after the failing one sent again", "onError: batchItemFailures", [
    "lib/runtime/micro-batch-input.ts",
    "input.records[Math.max(first, stoppedAt)]!",
    "input.records[Math.min(end - 1, Math.max(first, stoppedAt) + 1)]!",
  ]),
  mutant("evicts the rows of a join at their own time", "retention: as long as a partner may come", [
    "lib/operators/join-side.ts",
    "bound + retentionMs * 1000",
    "bound",
  ]),
  mutant("forgets that a row of an outer join had its partner", "padded only if it met none", [
    MATCHING,
    "state.markMatched(other, newlyMatched);",
    "",
  ]),
  mutant("closes a window over a join before its rows are out", "a join's own watermark stands lower", [
    "lib/operators/join.ts",
    "outputWatermark: (inputWatermark) => joinOutputWatermark(condition, inputWatermark),",
    "outputWatermark: (inputWatermark) => inputWatermark,",
  ]),
  mutant("fires a timeout that stands at the watermark", "strictly before it", [
    "lib/operators/groups-with-state.ts",
    "timerClock(timeMode, pass) * 1000 - 1",
    "timerClock(timeMode, pass) * 1000",
  ]),
  mutant("lets late rows in", "late rows are dropped, and told", [
    "lib/operators/late-gate.ts",
    "!isLate(bound, watermark)",
    "!isLate(bound, Number.NEGATIVE_INFINITY)",
  ]),
  mutant("lets the faster of two streams decide", "watermark policy min", [
    "lib/time/watermark.ts",
    'policy === "min" ? Math.min(...nodes)',
    'policy === "min" ? Math.max(...nodes)',
  ]),
  mutant("lets each stream of a union move the watermark alone", "across: auto, the slowest shard of all", [
    "lib/runtime/query-watermark.ts",
    'if (across === "auto") auto.push(...shards);',
    'if (across === "auto") verdicts.push(acrossAuto(shards));',
  ]),
  mutant("mixes up the shards of two streams", "a shard is known by its stream and its name", [
    "lib/runtime/skip-consumed.ts",
    "const key = shardKey(source, shard);",
    'const key = [...offsets.keys()].find((known) => known.endsWith("/" + shard)) ?? shardKey(source, shard);',
  ]),
];
