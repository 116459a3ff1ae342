import type { Registers } from "../checkpoint/registers.js";
import type { PartitionPosition, StagedState, StatePartition } from "../checkpoint/state-partition.js";
import type { PassResult } from "../planner/physical-query.js";
import { LAST_WATERMARK } from "../time/event-time.js";
import {
  type Passes,
  type PassesOutcome,
  type PassesRequest,
  runDataPasses,
  runNoDataPass,
  stagePasses,
} from "./committed-passes.js";
import { lookIdle } from "./idle-look.js";
import { inputWatermarks } from "./input-watermarks.js";
import { instantOf } from "./instant.js";
import { commitAttempts, stagerFor } from "./micro-batch.js";
import type { Deadline } from "./ports.js";
import { hasNewShards, probeShards } from "./probe-shards.js";
import type { QueryProgress } from "./progress.js";
import { publishPending } from "./publish-pending.js";
import { processingTimeOf, type QueryRuntime, wantsNoDataPasses } from "./query-runtime.js";
import { advanceWatermark } from "./query-watermark.js";
import { stopwatch } from "./stopwatch.js";

type TickKind = "tick" | "drain";

/**
 * A micro-batch without records, once a minute: publishes what is pending, looks at silent shards, fires timers, and runs the
 * passes that an advanced watermark is worth. Commits only what changes something, else returns null: an idle query costs reads.
 * A drain evicts everything that waits and marks the query drained, once.
 */
export async function runTick(
  runtime: QueryRuntime,
  partition: StatePartition,
  kind: TickKind,
  deadline: Deadline | null,
): Promise<QueryProgress | null> {
  const { query, ports } = runtime;
  const watch = stopwatch(ports.clock);
  if (kind === "tick") {
    const look = await lookIdle(runtime, partition);
    if (look === "drained") return null;
    if (look !== "due") return reportIdle(runtime, look.idle);
  }
  const { coldStart } = await partition.load({ fresh: true });

  return commitAttempts(runtime, partition, { watch, deadline, coldStart }, async (position) => {
    // Whoever committed it may be dead by now.
    await publishPending(runtime, partition, deadline);
    watch.lap("load");
    if (position.registers.drained) return null;
    const registers = kind === "tick" ? await probeShards(runtime, position) : position.registers;
    const processingTime = processingTimeOf(runtime, position);
    const staged = partition.stage();
    const request = { query, staged, processingTime, noDataPasses: wantsNoDataPasses(runtime) };
    const output = stagerFor(runtime, partition, { input: null, arrival: processingTime });
    const passes = kind === "drain" ? drainPass(request, position) : tickPasses(runtime, request, position, registers);
    const outcome = await stagePasses(passes, output.add);
    return kind === "drain" || isWorthACommit(outcome, staged, position, registers)
      ? { ...outcome, staged, output, processingTime, records: null }
      : reportIdle(runtime, outcome);
  });
}

/** The evidence of the shards first, then the one pass that it and what was left before are worth. */
export function* tickPasses(
  { query, rules }: QueryRuntime,
  request: TickRequest,
  position: PartitionPosition,
  registers: Registers,
): Passes {
  const { processingTime } = request;
  const advance = advanceWatermark(query, rules, { ...registers, processingTime }, position.watermark);
  const watermarks = { lastPassWatermark: position.lastPassWatermark, watermark: advance.watermark };
  const { nextTimer } = position.registers;
  if (nextTimer !== null && nextTimer <= processingTime)
    return yield* runDataPasses({ ...request, watermarks }, noRows, () => advance);
  return { ...advance, ...(yield* runNoDataPass({ ...request, watermarks })) };
}

type TickRequest = Omit<PassesRequest, "watermarks">;

/** Evicts all that ever expires, and fires every timer of either clock; the stored watermarks stay what the rows made them. */
function* drainPass(request: TickRequest, position: PartitionPosition): Passes {
  const { registers, watermark, lastPassWatermark } = position;
  const { query } = request;
  const watermarks = { lastPassWatermark, watermark: LAST_WATERMARK };
  const byProcessingTime = query.tables.some(({ clock }) => clock === "processingTime");
  const noDataPasses = query.wantsNoDataPass || byProcessingTime;
  const { passes } = yield* runNoDataPass({ ...request, watermarks, noDataPasses, drains: true });
  return { passes, watermark, lastPassWatermark, registers: { ...registers, drained: true }, heldBackBy: null };
}

const noRows = (): void => {};

/** Nothing is committed, so nothing else would say where event time stands while the input is silent. */
export function reportIdle({ id, runId, definition, query, rules, ports }: QueryRuntime, advance: IdleAdvance): null {
  const { watermark, heldBackBy, registers } = advance;
  ports.onIdle?.({
    id,
    runId,
    name: definition.queryName,
    timestamp: new Date(ports.clock.now()).toISOString(),
    watermark: instantOf(watermark),
    heldBackBy,
    watermarks: inputWatermarks(query, rules, registers),
  });
  return null;
}

type IdleAdvance = Pick<PassesOutcome, "watermark" | "heldBackBy" | "registers">;

/**
 * What no records caused is committed only if it changes something. A watermark that only the clock moves, minute by minute, is worth a
 * commit when it closes something.
 */
export const isWorthACommit = (
  outcome: PassesOutcome,
  staged: StagedState,
  position: PartitionPosition,
  registers: Registers,
): boolean =>
  (outcome.watermark > position.watermark && !outcome.byIdleness) ||
  staged.changed ||
  outcome.passes.some(saysSomething) ||
  hasNewShards(position.registers, registers);

/** Rows alone: what was counted or registered without any shows in the staged state. */
const saysSomething = ({ numOutputRows, numLateRows }: PassResult): boolean => numOutputRows > 0 || numLateRows > 0;
