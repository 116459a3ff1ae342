import type { StatePartition } from "../checkpoint/state-partition.js";
import { externalError } from "../errors.js";
import type { Delivery, Position } from "../sources/source.js";
import { checkAccounting } from "./accounting.js";
import { buildProgress } from "./build-progress.js";
import { dueTimes } from "./due-times.js";
import { listNewShards } from "./list-shards.js";
import { decodeDeliveries, type MicroBatchInput } from "./micro-batch-input.js";
import type { Deadline } from "./ports.js";
import type { QueryProgress } from "./progress.js";
import { publishAndReport, publisherOf, publishPending } from "./publish-pending.js";
import { processingTimeOf, type QueryRuntime } from "./query-runtime.js";
import { runRecords } from "./run-records.js";
import { countAncient, skipConsumed } from "./skip-consumed.js";
import { stageOutput } from "./stage-output.js";
import { stopwatch } from "./stopwatch.js";

/** Repeats after a lost race; then the invocation fails, and its records come again. */
export const MAX_CONFLICTS = 5;

/** A record that its source must send again. */
export interface Unprocessed extends Position {
  readonly source: string;
  readonly shard: string;
}

export interface MicroBatchOutcome {
  /** Null: there was nothing to commit. */
  readonly progress: QueryProgress | null;
  /** Per delivery the first record that was not consumed. */
  readonly unprocessed: readonly Unprocessed[];
  /** What a user function threw, and the query stopped at. */
  readonly failure: unknown;
}

/**
 * The path of a micro-batch; nothing else knows the order (DESIGN.md section 2). It returns only after everything committed
 * is published, and throws a TidemarkError if that, or the commit, did not come about: then the whole delivery comes again, and
 * what was consumed is skipped.
 */
export async function runMicroBatch(
  runtime: QueryRuntime,
  partition: StatePartition,
  deliveries: readonly Delivery[],
  deadline: Deadline | null,
): Promise<MicroBatchOutcome> {
  const { definition, query, ports } = runtime;
  const watch = stopwatch(ports.clock);
  const mustStop = () => deadline !== null && ports.clock.now() >= deadline.at - deadline.reserveMs;

  // 1. decode
  const input = decodeDeliveries(query.sources, ports.decoders, deliveries);
  watch.lap("decode");

  // 2. load
  const { coldStart } = await partition.load();
  watch.lap("load");

  for (let conflicts = 0; ; conflicts++) {
    const position = partition.position();

    // 3. skip
    const { consumed, ...outOfOrder } = skipConsumed(input, position);

    // 4. run
    const registers = consumed.every((mark) => mark === 1)
      ? position.registers
      : await listNewShards(runtime, position.registers, deliveries);
    const processingTime = processingTimeOf(runtime, position);
    const { run, failure } = runRecords(runtime, partition, { input, consumed, registers, processingTime, mustStop });
    if (run === null) {
      await publishPending(runtime, partition, deadline);
      return { progress: null, unprocessed: unprocessed(input, failure?.record ?? null), failure: failure?.error };
    }
    const { passes, counts, drained, offsets, staged } = run;

    // 5. stage
    const output = passes.flatMap((pass) => pass.output);
    const outbox = stageOutput(
      ports.sinks,
      {
        result: output,
        late: [...passes.flatMap((pass) => pass.late), ...drained],
        malformed: counts.malformed,
        withoutTime: passes.flatMap((pass) => pass.withoutTime),
      },
      {
        schema: query.outputSchema,
        outputMode: definition.outputMode,
        rowSchemaOf: runtime.rowSchemaOf,
        input,
        arrival: newestArrival(input, counts.limit) ?? processingTime,
      },
    );
    watch.lap("addBatch");

    // 6. commit
    checkAccounting(
      {
        delivered: counts.limit,
        skipped: counts.skipped,
        malformed: counts.malformed.length,
        decoded: counts.decoded + counts.heartbeats,
      },
      passes.flatMap((pass) => pass.stateOperators),
    );
    const facts = {
      ...run,
      position,
      processingTime,
      output,
      stateBytes: staged.stateBytes,
      conflicts,
      coldStart,
      records: {
        delivered: counts.limit,
        counts,
        drained: drained.length,
        ancient: countAncient(input, position, counts.limit),
        ...outOfOrder,
        offsets,
      },
    };
    const { lastPassWatermark, watermark } = run;
    const progress = buildProgress(runtime, { ...facts, durationMs: watch.durations() });
    const nextRegisters = { ...run.registers, ...dueTimes(query.tables, staged) };
    const draft = { offsets, registers: nextRegisters, lastPassWatermark, watermark, outbox, progress };
    const outcome = await partition.commit(draft, staged, publisherOf(ports));
    watch.lap("commit");
    if (outcome === "conflict") {
      if (conflicts === MAX_CONFLICTS) throw tooManyConflicts();
      await ports.sleep(ports.random() * 50 * 2 ** conflicts);
      continue;
    }

    // 7. publish, and 8. report: also if a sink is down, for the batch is committed
    const report = await publishAndReport(runtime, partition, deadline, watch, progress);
    const stoppedAt = counts.limit < input.records.length ? counts.limit : null;
    return { progress: report, unprocessed: unprocessed(input, stoppedAt), failure: failure?.error };
  }
}

/** Of every delivery that is not consumed to its end, the first record left. */
function unprocessed(input: MicroBatchInput, stoppedAt: number | null): readonly Unprocessed[] {
  if (stoppedAt === null) return [];
  const left: Unprocessed[] = [];
  for (const { delivery, first, end } of input.stretches) {
    if (end <= stoppedAt) continue;
    const record = input.records[Math.max(first, stoppedAt)]!;
    left.push({ source: delivery.source, shard: delivery.shard, sequence: record.sequence, sub: record.sub });
  }
  return left;
}

const newestArrival = (input: MicroBatchInput, limit: number): number | null => {
  let newest: number | null = null;
  for (let at = 0; at < limit; at++) {
    const arrival = input.arrivals[at] ?? null;
    if (arrival !== null && (newest === null || arrival > newest)) newest = arrival;
  }
  return newest;
};

export const tooManyConflicts = () =>
  externalError(
    "commit-contended",
    `${MAX_CONFLICTS + 1} attempts to commit lost to other writers.`,
    "The records come again. If it stays: fewer shards per state partition, or larger batches.",
  );
