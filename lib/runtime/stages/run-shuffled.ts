import type { Registers } from "../../checkpoint/registers.js";
import { shardKey } from "../../checkpoint/registers.js";
import type { PartitionPosition, StagedState, StatePartition } from "../../checkpoint/state-partition.js";
import type { LateRow } from "../../operators/operator.js";
import { finishPasses } from "../../planner/passes.js";
import { isTick } from "../../shuffle/shuffle-record.js";
import type { MalformedRecord } from "../../sources/source.js";
import { type Passes, type PassesOutcome, runDataPasses, stagePasses } from "../committed-passes.js";
import { drainedRows } from "../drain.js";
import { inputRecord, malformedRecord } from "../micro-batch-input.js";
import type { OutputStager } from "../output-stager.js";
import { processingTimeOf, type QueryRuntime, wantsNoDataPasses } from "../query-runtime.js";
import { advanceWatermark, type WatermarkAdvance } from "../query-watermark.js";
import { tickPasses } from "../tick.js";
import { firstFailing, isUserFailure, messageOf, throwsAsUser } from "../user-function-failure.js";
import { mergeMarker, mergeTick } from "./merge-evidence.js";
import { positionAfter } from "./receive-records.js";
import { feedRows, type RowSelection, type ShuffledRows } from "./shuffled-rows.js";

export interface ShuffledRun extends PassesOutcome {
  readonly staged: StagedState;
  readonly output: OutputStager;
  /** Records of the shuffle stream that were consumed. */
  readonly limit: number;
  /** Rows given to the operators, or turned away because the query is drained. */
  readonly decoded: number;
  readonly malformed: readonly MalformedRecord[];
  readonly drained: readonly LateRow[];
  readonly numInputRows: ReadonlyMap<number, number>;
}

interface ShuffledResult {
  /** Null: not one record before the failing one is left to commit. */
  readonly run: ShuffledRun | null;
  readonly failure: unknown;
}

/**
 * One data pass over all rows of the invocation, then the evidence of their markers and of ticks (S16, S17). When a user function throws, the
 * run is repeated: `onError: "fail"` with the records of the shuffle stream before the failing one, `"malformed"` without the rows of the
 * source record that failed.
 */
export async function runShuffled(
  runtime: QueryRuntime,
  partition: StatePartition,
  rows: ShuffledRows,
  newStager: () => OutputStager,
): Promise<ShuffledResult> {
  const rejected = new Map<number, string>();
  const attempt = (limit: number) =>
    attemptRows(runtime, partition, { rows, limit: endOf(rows, limit), rejected }, limit);
  let failure: unknown;
  for (let limit = rows.records.length; ; ) {
    if (limit === 0) return { run: null, failure };
    try {
      const output = newStager();
      return { run: { ...(await stagePasses(attempt(limit), output.add)), output }, failure };
    } catch (error) {
      // What fails without any row (a timer's handler, say) is no row's fault.
      if (!isUserFailure(error)) throw error;
      const throwing = (count: number) =>
        throwsAsUser(() => finishPasses(attemptRows(runtime, partition, { rows, limit: count, rejected }, 0)));
      if (throwing(0)) throw error;
      const row = firstFailing(0, endOf(rows, limit), (count) => throwing(count)) - 1;
      if (runtime.definition.options.onError === "malformed")
        for (const at of sameRecord(rows, row)) rejected.set(at, messageOf(error));
      else {
        limit = rows.records.findIndex(({ end }) => end > row);
        failure = error;
      }
    }
  }
}

const endOf = ({ records }: ShuffledRows, limit: number): number => (limit === 0 ? 0 : records[limit - 1]!.end);

/** All rows that came of one record of the source. */
function sameRecord({ input, rings }: ShuffledRows, row: number): readonly number[] {
  const { sequence, sub } = input.records[row]!;
  return input.records.flatMap((other, at) =>
    rings[at] === rings[row] && other.sequence === sequence && other.sub === sub ? [at] : [],
  );
}

function* attemptRows(
  runtime: QueryRuntime,
  partition: StatePartition,
  selection: RowSelection,
  limit: number,
): Passes<Omit<ShuffledRun, "output">> {
  const { query, rules } = runtime;
  const { rows, rejected } = selection;
  const position = partition.position();
  const staged = partition.stage();
  const processingTime = processingTimeOf(runtime, position);
  const registers = evidenceOf(runtime, position, rows, limit);
  const malformed = malformedRows(selection);
  const done = { staged, limit, malformed, drained: [] as LateRow[] };

  if (position.registers.drained) {
    const drained: LateRow[] = [];
    const numInputRows = feedRows(query, selection, (_, { batch }) => {
      drained.push(...drainedRows(batch, position.watermark));
      return batch.length;
    });
    const { watermark, lastPassWatermark } = position;
    const outcome = { passes: [], watermark, lastPassWatermark, registers, heldBackBy: null };
    return { ...done, ...outcome, drained, decoded: drained.length, numInputRows };
  }

  const advance = (): WatermarkAdvance =>
    advanceWatermark(query, rules, { ...registers, processingTime }, position.watermark);
  const request = { query, staged, processingTime, noDataPasses: wantsNoDataPasses(runtime) };
  const onlyTicks = rows.records.slice(0, limit).every(({ head }) => isTick(head));
  if (limit > 0 && onlyTicks)
    return {
      ...done,
      ...(yield* tickPasses(runtime, request, position, registers)),
      decoded: 0,
      numInputRows: new Map<number, number>(),
    };
  let decoded = 0;
  let numInputRows: ReadonlyMap<number, number> = new Map();
  const outcome = yield* runDataPasses(
    { ...request, watermarks: position },
    () => {
      numInputRows = feedRows(query, { rows, limit: selection.limit, rejected }, (node, chunk) => {
        decoded += chunk.batch.length;
        return query.process(node, chunk);
      });
    },
    advance,
  );
  return { ...done, ...outcome, decoded, numInputRows };
}

/** The registers after all that the records before `limit` say, in their order. */
function evidenceOf(
  { query }: QueryRuntime,
  { registers }: PartitionPosition,
  { records }: ShuffledRows,
  limit: number,
): Registers {
  let next = registers;
  for (const { head, marker } of records.slice(0, limit)) {
    if (isTick(head)) {
      next = mergeTick(next, query, head);
      continue;
    }
    const key = shardKey(head.source, head.shard);
    next = { ...next, rings: { ...next.rings, [key]: positionAfter(head, next.rings[key]) } };
    if (marker !== null) next = mergeMarker(next, head, marker);
  }
  return next;
}

function malformedRows({ rows, limit, rejected }: RowSelection): readonly MalformedRecord[] {
  return [...rejected]
    .filter(([at]) => at < limit)
    .map(([at, message]) => malformedRecord(inputRecord(rows.input, at)!, "user-function", message, rows.rows[at]!));
}
