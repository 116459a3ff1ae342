import type { OffsetUpdate } from "../checkpoint/offsets.js";
import { type Registers, shardKey } from "../checkpoint/registers.js";
import type { StagedState, StatePartition } from "../checkpoint/state-partition.js";
import { externalError } from "../errors.js";
import type { LateRow } from "../operators/operator.js";
import { finishPasses } from "../planner/passes.js";
import type { PassOptions, SourceChunk } from "../planner/physical-query.js";
import type { Watermark } from "../time/event-time.js";
import { type Passes, type PassesOutcome, runDataPasses, stagePasses } from "./committed-passes.js";
import { consumedDeliveries, type HeartbeatSeen } from "./consumed-deliveries.js";
import { drainedRows } from "./drain.js";
import { type FeedCounts, feed, type Selection } from "./feed.js";
import { findFailingRecords } from "./find-failing-records.js";
import type { MicroBatchInput } from "./micro-batch-input.js";
import type { OutputStager } from "./output-stager.js";
import { type QueryRuntime, wantsNoDataPasses } from "./query-runtime.js";
import type { WatermarkAdvance, WatermarkRules } from "./query-watermark.js";
import { recordHeartbeats, recordObservations, recordRead } from "./shard-registers.js";
import { firstFailing, isUserFailure, messageOf, throwsAsUser } from "./user-function-failure.js";

interface RecordsRequest {
  readonly input: MicroBatchInput;
  readonly consumed: Uint8Array;
  /** Of the position, with shards listed since. */
  readonly registers: Registers;
  readonly processingTime: number;
  /** Asked before every piece of records, with the time that it is expected to take. */
  readonly mustStop: (aheadMs?: number) => boolean;
  /** What the registers, with all that was read, make of the watermark. */
  readonly advance: (seen: Registers, watermark: Watermark) => WatermarkAdvance;
  /** One per attempt: what a failed one staged is thrown away. */
  readonly newStager: () => OutputStager;
}

interface RecordsRun extends PassesOutcome {
  readonly output: OutputStager;
  readonly staged: StagedState;
  readonly counts: FeedCounts;
  /** Rows that came after the query was drained. */
  readonly drained: readonly LateRow[];
  readonly offsets: readonly OffsetUpdate[];
}

interface RecordsResult {
  /** Null: not one record before the failing one is left to commit. */
  readonly run: RecordsRun | null;
  readonly failure: { readonly record: number; readonly error: unknown } | null;
}

/**
 * Runs the passes over the records that fit. When a user function throws, the overlay is thrown away and the run repeated:
 * `onError: "fail"` with the records before the failing one, `"malformed"` without it, as long as there is time: after that it
 * is left to the next invocation, like one that fails.
 */
export async function runRecords(
  runtime: QueryRuntime,
  partition: StatePartition,
  request: RecordsRequest,
): Promise<RecordsResult> {
  const { input, consumed, mustStop, newStager } = request;
  const rejected = new Map<number, string>();
  const select = (limit: number): Selection => ({ input, consumed, rejected, limit });
  const attempt = (limit: number, stop: () => boolean = never) =>
    attemptRun(runtime, partition, request, select(limit), stop);
  const succeeds = (limit: number): boolean => !throwsAsUser(() => finishPasses(attempt(limit)));
  let failure: RecordsResult["failure"] = null;
  for (let limit = input.records.length; ; ) {
    if (consumed.subarray(0, limit).every((mark) => mark === 1)) return { run: null, failure };
    try {
      // Records before a failing one ran already in the time that there was: the reserve is for running them again.
      const output = newStager();
      const run = await stagePasses(attempt(limit, failure === null ? mustStop : never), output.add);
      return { run: { ...run, output }, failure };
    } catch (error) {
      // What fails without any record (a timer's handler, say) is no record's fault.
      if (!isUserFailure(error) || !succeeds(0)) throw error;
      const failing = new Map(
        findFailingRecords(
          runtime.query,
          runtime.rules.sources,
          select(limit),
          searchPass(runtime, partition, request),
        ),
      );
      if (failing.size === 0) failing.set(firstFailing(0, limit, (records) => !succeeds(records)) - 1, error);
      if (runtime.definition.options.onError === "malformed" && !mustStop())
        for (const [record, thrown] of failing) rejected.set(record, messageOf(thrown));
      else {
        limit = Math.min(...failing.keys());
        failure = { record: limit, error: failing.get(limit) };
      }
    }
  }
}

/** As the data pass is told, after the leading pass if there is one. */
function searchPass(runtime: QueryRuntime, partition: StatePartition, { processingTime }: RecordsRequest): PassOptions {
  const { lastPassWatermark, watermark } = partition.position();
  return {
    watermarkForLateEvents: wantsNoDataPasses(runtime) ? watermark : lastPassWatermark,
    watermarkForEviction: watermark,
    processingTime,
    state: partition.stage(),
  };
}

function* attemptRun(
  runtime: QueryRuntime,
  partition: StatePartition,
  { registers, processingTime, advance }: RecordsRequest,
  selection: Selection,
  mustStop: (aheadMs?: number) => boolean,
): Passes<Omit<RecordsRun, "output">> {
  const { query, rules, ports } = runtime;
  const position = { ...partition.position(), registers };
  const staged = partition.stage();
  const fed: FeedCounts[] = [];
  const read = (process: (node: number, chunk: SourceChunk) => number): FeedCounts => {
    const counts = feed(query.sources, rules.sources, selection, mustStop, process, () => ports.clock.now());
    if (counts.limit === 0 && selection.limit > 0)
      throw externalError(
        "time-reserve-reached",
        "Not one record fits in the time that is left.",
        "Raise the function's timeout or memory, or lower the batch size.",
      );
    fed.push(counts);
    return counts;
  };

  if (registers.drained) {
    const drained: LateRow[] = [];
    const counts = read((_node, { batch }) => {
      for (const late of drainedRows(batch, position.watermark)) drained.push(late);
      return batch.length;
    });
    const { offsets, reads } = consumedDeliveries(selection, counts.limit);
    const { watermark, lastPassWatermark } = position;
    // The watermark stands for good; arrivals still tell a repeat from a re-created stream's record.
    const seen = recordReads(registers, reads);
    const watermarks = { watermark, lastPassWatermark, heldBackBy: null };
    return { passes: [], ...watermarks, registers: seen, staged, counts, drained, offsets };
  }

  let disbelieved = 0;
  const advanceBy = (observations: Parameters<typeof recordObservations>[2]): WatermarkAdvance => {
    const { reads, heartbeats } = consumedDeliveries(selection, fed[0]!.limit);
    const believed = heartbeats.filter((heartbeat) => isBelieved(heartbeat, rules.sources));
    disbelieved = heartbeats.length - believed.length;
    let seen = recordReads({ ...registers, processingTime }, reads);
    seen = recordObservations(seen, query, observations);
    seen = recordHeartbeats(seen, query, believed);
    return advance(seen, position.watermark);
  };
  const outcome = yield* runDataPasses(
    { query, watermarks: position, staged, processingTime, noDataPasses: wantsNoDataPasses(runtime) },
    () => void read((node, chunk) => query.process(node, chunk)),
    ({ observations }) => advanceBy(observations),
  );
  const { offsets } = consumedDeliveries(selection, fed[0]!.limit);
  const passes = outcome.passes.map((pass, at) =>
    at > 0 ? pass : { ...pass, rowsIgnoredForWatermark: pass.rowsIgnoredForWatermark + disbelieved },
  );
  return { ...outcome, passes, staged, counts: fed[0]!, drained: [], offsets };
}

/** A heartbeat may be no further ahead of its arrival than a row that moves the watermark: a bad clock beats too. */
function isBelieved({ source, arrival, eventTime }: HeartbeatSeen, sources: WatermarkRules["sources"]): boolean {
  const maxFutureSkewMs = sources.get(source)?.maxFutureSkewMs ?? null;
  return arrival === null || maxFutureSkewMs === null || eventTime <= arrival + maxFutureSkewMs;
}

const recordReads = (registers: Registers, reads: ReturnType<typeof consumedDeliveries>["reads"]): Registers =>
  reads.reduce(
    (seen, { delivery, readTo }) => recordRead(seen, shardKey(delivery.source, delivery.shard), readTo),
    registers,
  );

const never = () => false;
