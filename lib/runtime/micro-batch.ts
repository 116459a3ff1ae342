import type { OffsetUpdate } from "../checkpoint/offsets.js";
import type { Registers } from "../checkpoint/registers.js";
import type { PartitionPosition, StagedState, StatePartition } from "../checkpoint/state-partition.js";
import { externalError } from "../errors.js";
import type { LateRow, RejectedRow } from "../operators/operator.js";
import type { OutboxPart } from "../sinks/sink.js";
import type { Delivery } from "../sources/source.js";
import type { Watermark } from "../time/event-time.js";
import { checkAccounting } from "./accounting.js";
import { buildProgress } from "./build-progress.js";
import type { PassesOutcome } from "./committed-passes.js";
import { dueTimes } from "./due-times.js";
import type { FeedCounts } from "./feed.js";
import { listNewShards } from "./list-new-shards.js";
import {
  decodeDeliveries,
  firstLeft,
  type MicroBatchInput,
  newestArrival,
  type Unprocessed,
} from "./micro-batch-input.js";
import { type OutputShape, type OutputStager, outputStager } from "./output-stager.js";
import type { Deadline } from "./ports.js";
import type { QueryProgress, StageProgress } from "./progress.js";
import { publishAndReport, publishDeadline, publisherOf, publishPending } from "./publish-pending.js";
import { processingTimeOf, type QueryRuntime } from "./query-runtime.js";
import { advanceWatermark } from "./query-watermark.js";
import { runRecords } from "./run-records.js";
import { countAncient, type Skipped, skipConsumed } from "./skip-consumed.js";
import { type Stopwatch, stopwatch } from "./stopwatch.js";

/** Repeats after a lost race; then the invocation fails, and its records come again. */
const MAX_CONFLICTS = 5;

export interface MicroBatchOutcome {
  /** Null: there was nothing to commit. */
  readonly progress: QueryProgress | null;
  /** Per delivery the first record that was not consumed. */
  readonly unprocessed: readonly Unprocessed[];
  /** What a user function threw, and the query stopped at. */
  readonly failure: unknown;
}

/** What one attempt ran and would commit. */
export interface Attempt extends PassesOutcome {
  readonly staged: StagedState;
  /** Has all that the passes said. */
  readonly output: OutputStager;
  readonly processingTime: number;
  /** Null for a tick: no record came. */
  readonly records: ConsumedRecords | null;
  /** Of a query in two stages. */
  readonly stage?: StageProgress;
  /** Final bytes beside those of results, late rows and malformed records; absent: none. */
  readonly outbox?: readonly OutboxPart[];
  /** Rows that cannot be published; absent: none. */
  readonly rejected?: readonly RejectedRow[];
}

interface ConsumedRecords extends Omit<Skipped, "consumed"> {
  readonly input: MicroBatchInput;
  readonly counts: FeedCounts;
  /** Rows that came after the query was drained. */
  readonly drained: readonly LateRow[];
  readonly offsets: readonly OffsetUpdate[];
  /** Records of retired shards, all of them skipped. */
  readonly ancient: number;
}

/**
 * The path of a micro-batch; nothing but this file knows the order (DESIGN.md section 2). It returns only after everything committed
 * is published, and throws a TidemarkError if that, or the commit, did not come about: then the whole delivery comes again, and
 * what was consumed is skipped.
 */
export async function runMicroBatch(
  runtime: QueryRuntime,
  partition: StatePartition,
  deliveries: readonly Delivery[],
  deadline: Deadline | null,
): Promise<MicroBatchOutcome> {
  const { query, ports } = runtime;
  const watch = stopwatch(ports.clock);
  const mustStop = (aheadMs = 0) =>
    deadline !== null && ports.clock.now() + aheadMs >= deadline.at - deadline.reserveMs;

  // 1. decode
  const input = decodeDeliveries(query.sources, ports.decoders, deliveries);
  watch.lap("decode");

  // 2. load
  const { coldStart } = await partition.load();
  watch.lap("load");

  let stoppedAt = input.records.length;
  let failure: unknown;
  const progress = await commitAttempts(runtime, partition, { watch, deadline, coldStart }, async (position) => {
    // 3. skip
    const { consumed, ...outOfOrder } = skipConsumed(input, position);

    // 4. run
    const registers = consumed.every((mark) => mark === 1)
      ? position.registers
      : await listNewShards(runtime, position.registers, deliveries);
    const processingTime = processingTimeOf(runtime, position);
    const arrival = newestArrival(input, input.records.length) ?? processingTime;
    const newStager = () => stagerFor(runtime, partition, { input, arrival });
    const advance = (seen: Registers, watermark: Watermark) => advanceWatermark(query, runtime.rules, seen, watermark);
    const request = { input, consumed, registers, processingTime, mustStop, advance, newStager };
    const { run, ...failed } = await runRecords(runtime, partition, request);
    failure = failed.failure?.error;
    stoppedAt = run?.counts.limit ?? failed.failure?.record ?? input.records.length;
    if (run === null) return null;
    const { counts, drained, offsets, ...outcome } = run;
    const ancient = countAncient(input, position, counts.limit);
    return { ...outcome, processingTime, records: { input, counts, drained, offsets, ancient, ...outOfOrder } };
  });
  if (progress === null) await publishPending(runtime, partition, deadline);
  return { progress, unprocessed: firstLeft(input, stoppedAt), failure };
}

/** Stages the output of one attempt to commit. */
export const stagerFor = (
  { ports, query, definition, rowSchemaOf, noEventTime }: QueryRuntime,
  partition: StatePartition,
  { input, arrival }: Pick<OutputShape, "input" | "arrival">,
): OutputStager =>
  outputStager(ports.sinks, partition.newOutbox(), {
    schema: query.outputSchema,
    outputMode: definition.outputMode,
    rowSchemaOf,
    noEventTime,
    input,
    arrival,
  });

interface Invocation {
  readonly watch: Stopwatch;
  readonly deadline: Deadline | null;
  readonly coldStart: boolean;
}

/**
 * The second half of the path, of a micro-batch and of a tick. After a lost race the winner's entry is applied and `attempt` is asked
 * again. Null: there is nothing to commit.
 */
export async function commitAttempts(
  runtime: QueryRuntime,
  partition: StatePartition,
  { watch, deadline, coldStart }: Invocation,
  attempt: (position: PartitionPosition) => Promise<Attempt | null>,
): Promise<QueryProgress | null> {
  const { query, ports } = runtime;
  for (let conflicts = 0; ; conflicts++) {
    const position = partition.position();
    const run = await attempt(position);
    watch.lap("run");
    if (run === null) return null;
    const { passes, records, staged, output, lastPassWatermark, watermark } = run;

    // 5. stage
    const counts = records?.counts ?? NO_RECORDS;
    await output.add({ late: records?.drained ?? [], malformed: counts.malformed, withoutTime: run.rejected ?? [] });
    await output.end();
    watch.lap("stage");

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
    const timeAvailableMs = deadline === null ? null : deadline.at - watch.startedAt;
    const unpublished = partition.unpublished?.() ?? 0;
    const facts = { ...run, position, unpublished, conflicts, coldStart, timeAvailableMs };
    const progress = buildProgress(runtime, { ...facts, durationMs: watch.durations() });
    const registers = { ...run.registers, ...dueTimes(query.tables, staged) };
    await output.outbox.add(run.outbox ?? []);
    const { outbox } = output;
    const draft = { offsets: records?.offsets ?? [], registers, lastPassWatermark, watermark, outbox, progress };
    const outcome = await partition.commit(draft, staged, publisherOf(ports), publishDeadline(ports, deadline));
    watch.lap("commit");
    if (outcome === "conflict") {
      if (conflicts === MAX_CONFLICTS) throw tooManyConflicts();
      await ports.sleep(ports.random() * 50 * 2 ** conflicts);
      continue;
    }

    // 7. publish, and 8. report: also if a sink is down, for the batch is committed
    return publishAndReport(runtime, partition, deadline, watch, progress);
  }
}

const NO_RECORDS: FeedCounts = {
  limit: 0,
  skipped: 0,
  malformed: [],
  decoded: 0,
  heartbeats: 0,
  numInputRows: new Map(),
};

const tooManyConflicts = () =>
  externalError(
    "commit-contended",
    `${MAX_CONFLICTS + 1} attempts to commit lost to other writers.`,
    "The records come again. If it stays: fewer shards per state partition, or larger batches.",
  );
