import type { StatePartition } from "../../checkpoint/state-partition.js";
import type { EntryHead } from "../../shuffle/shuffle-record.js";
import { isTick } from "../../shuffle/shuffle-record.js";
import { type Attempt, commitAttempts, stagerFor } from "../micro-batch.js";
import type { Deadline } from "../ports.js";
import type { QueryProgress, StageProgress } from "../progress.js";
import { publishPending } from "../publish-pending.js";
import { processingTimeOf, type QueryRuntime } from "../query-runtime.js";
import { stopwatch } from "../stopwatch.js";
import { isWorthACommit, reportIdle, runTick } from "../tick.js";
import { type Reader, type Received, receiveRecords, type ShuffledRecord } from "./receive-records.js";
import { runShuffled, type ShuffledRun } from "./run-shuffled.js";
import { type CutInputs, readRows, type ShuffledRows } from "./shuffled-rows.js";

/** One state partition, and what it needs to read its records. */
interface StateStage {
  readonly runtime: QueryRuntime;
  readonly partition: StatePartition;
  readonly reader: Reader;
  readonly inputs: CutInputs;
}

export interface StateOutcome {
  /** Of each commit. */
  readonly progress: readonly QueryProgress[];
  /** Sequence number of the first record that was not consumed; null: all were. */
  readonly firstLeft: string | null;
  /** What the partition stopped at: what a user function threw, or `shuffle-gap`. */
  readonly failure: unknown;
}

/**
 * What one invocation holds of one partition: one data pass, one commit (S17). A tick that drains the query ends what came before it,
 * and what comes after it is late.
 */
export async function runStateBatch(
  stage: StateStage,
  records: readonly ShuffledRecord[],
  deadline: Deadline | null,
): Promise<StateOutcome> {
  const progress: QueryProgress[] = [];
  for (let from = 0; from < records.length; ) {
    const drain = records.findIndex(({ head }, at) => at >= from && isTick(head) && head.drain === true);
    const end = drain < 0 ? records.length : Math.max(drain, from + 1);
    const outcome =
      drain === from
        ? await drainOnce(stage, records[from]!, deadline)
        : await runStretch(stage, records.slice(from, end), deadline);
    progress.push(...outcome.progress);
    if (outcome.firstLeft !== null) return { ...outcome, progress };
    from = end;
  }
  return { progress, firstLeft: null, failure: undefined };
}

async function runStretch(
  stage: StateStage,
  records: readonly ShuffledRecord[],
  deadline: Deadline | null,
): Promise<StateOutcome> {
  const { runtime, partition, reader, inputs } = stage;
  const { clock } = runtime.ports;
  const watch = stopwatch(clock);
  const { coldStart } = await partition.load({ fresh: true });
  watch.lap("load");
  // Decoding may take half of the time that there is: the pass over what is decoded is never cut.
  const started = clock.now();
  const half = deadline === null ? null : started + Math.max(0, deadline.at - deadline.reserveMs - started) / 2;
  const mustStop = () => half !== null && clock.now() >= half;

  let firstLeft: string | null = null;
  let failure: unknown;
  const progress = await commitAttempts(runtime, partition, { watch, deadline, coldStart }, async (position) => {
    const received = receiveRecords(reader, position.registers, records);
    const rows = readRows(received.consumed, inputs, mustStop);
    watch.lap("decode");
    const arrival = newestArrivalOf(rows) ?? processingTimeOf(runtime, position);
    const newStager = () => stagerFor(runtime, partition, { input: rows.input, arrival });
    const { run, failure: thrown } = await runShuffled(runtime, partition, rows, newStager);
    const next = received.consumed[run?.limit ?? 0];
    firstLeft = next?.sequence ?? received.gap?.sequence ?? null;
    failure = thrown ?? (next === undefined ? received.gap?.error : undefined);
    if (run === null) return null;
    const consumed = rows.records.slice(0, run.limit);
    // An acknowledged record does not come again: its position must be committed (S15) [CS1].
    const moves =
      consumed.some(({ head }) => !isTick(head)) ||
      run.registers.rings !== position.registers.rings ||
      isWorthACommit(run, run.staged, position, run.registers);
    if (!moves && consumed.length > 0) reportIdle(runtime, run);
    return moves ? attemptOf(stage, rows, run, received, processingTimeOf(runtime, position)) : null;
  });
  if (progress === null) await publishPending(runtime, partition, deadline);
  return { progress: progress === null ? [] : [progress], firstLeft, failure };
}

function attemptOf(
  { reader }: StateStage,
  { records, input }: ShuffledRows,
  run: ShuffledRun,
  received: Received,
  processingTime: number,
): Attempt {
  const { limit, decoded, malformed, drained, numInputRows, ...outcome } = run;
  const consumed = records.slice(0, limit);
  const heads = consumed.flatMap(({ head }) => (isTick(head) ? [] : [head]));
  const { repeats, ancient, foreign } = received;
  const skipped = rowsOf(repeats) + rowsOf(ancient);
  const stage: StageProgress = {
    name: "state",
    partition: reader.partition,
    shuffleRecords: limit,
    repeatedShuffleRecords: repeats.length,
    ancientShuffleRecords: ancient.length,
    foreignShuffleRecords: foreign,
  };
  if (heads.length === 0) return { ...outcome, processingTime, stage, records: null };
  // What the heads say against what was counted as it was fed: the books of S23.
  const counts = { limit: rowsOf(heads) + skipped, skipped, decoded, heartbeats: 0, malformed, numInputRows };
  const offsets = { offsets: [], outOfOrder: 0, runsAbove: 0, ancient: ancient.length };
  return { ...outcome, processingTime, stage, records: { input, counts, drained, ...offsets } };
}

/** Of the records that the markers speak of; null where the source tells none. */
function newestArrivalOf({ records }: ShuffledRows): number | null {
  const arrivals = records.flatMap(({ marker }) => marker?.newestArrival ?? []);
  return arrivals.length === 0 ? null : Math.max(...arrivals);
}

const rowsOf = (heads: readonly EntryHead[]): number => heads.reduce((sum, { rows }) => sum + rows, 0);

/** Once: later ticks that say so find the query drained. */
async function drainOnce(
  { runtime, partition, reader }: StateStage,
  record: ShuffledRecord,
  deadline: Deadline | null,
): Promise<StateOutcome> {
  await partition.load({ fresh: true });
  const { consumed, gap } = receiveRecords(reader, partition.position().registers, [record]);
  if (gap !== null) return { progress: [], firstLeft: gap.sequence, failure: gap.error };
  if (consumed.length === 0) return { progress: [], firstLeft: null, failure: undefined };
  const progress = await runTick(runtime, partition, "drain", deadline);
  return { progress: progress === null ? [] : [progress], firstLeft: null, failure: undefined };
}
