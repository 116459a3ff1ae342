import { comparePositions } from "../checkpoint/offsets.js";
import { shardKey } from "../checkpoint/registers.js";
import type { PartitionPosition } from "../checkpoint/state-partition.js";
import type { OperatorMetrics } from "../operators/operator.js";
import type { PassResult } from "../planner/physical-query.js";
import { sinksOfOutput } from "../sinks/sink.js";
import type { TableSpec } from "../state/state-store.js";
import { eventTimeWarnings } from "./event-time-warnings.js";
import { inputWatermarks } from "./input-watermarks.js";
import type { Attempt } from "./micro-batch.js";
import {
  eventTimeProgress,
  offsetText,
  operatorProgress,
  type QueryProgress,
  type SourceProgress,
  type StepDurations,
  sumOperators,
} from "./progress.js";
import type { QueryRuntime } from "./query-runtime.js";

/** What is known of a micro-batch (or tick) when it is about to commit. */
interface ProgressFacts extends Attempt {
  readonly position: PartitionPosition;
  readonly unpublished: number;
  readonly conflicts: number;
  readonly timeAvailableMs: number | null;
  readonly coldStart: boolean;
  readonly durationMs: StepDurations;
}

export function buildProgress(runtime: QueryRuntime, facts: ProgressFacts): QueryProgress {
  const { definition, id, runId, ports } = runtime;
  const { passes, records, durationMs } = facts;
  const bytesOf = facts.staged.tableBytes();
  const sumBytes = (tables: readonly TableSpec[]) => tables.reduce((sum, table) => sum + bytesOf(table), 0);
  const operatorBytes = (id: string) => sumBytes(runtime.query.tables.filter(({ operatorId }) => operatorId === id));
  const operators = sumOperators(passes);
  const sumPasses = (read: (pass: PassResult) => number) => passes.reduce((total, pass) => total + read(pass), 0);
  const sumRows = (read: (metrics: OperatorMetrics) => number) => operators.reduce((sum, each) => sum + read(each), 0);
  const numInputRows = [...(records?.counts.numInputRows.values() ?? [])].reduce((sum, rows) => sum + rows, 0);
  const seconds = (durationMs.decode + durationMs.load + durationMs.addBatch) / 1000;
  const stats = passes.find(({ eventTime }) => eventTime !== null)?.eventTime ?? null;
  return {
    id,
    runId,
    name: definition.queryName,
    batchId: facts.position.version + 1,
    timestamp: new Date(facts.processingTime).toISOString(),
    numInputRows,
    inputRowsPerSecond: perSecond(
      numInputRows,
      (facts.processingTime - facts.position.registers.processingTime) / 1000,
    ),
    processedRowsPerSecond: perSecond(numInputRows, seconds),
    durationMs,
    eventTime: eventTimeProgress(stats, facts.lastPassWatermark),
    stateOperators: operators.map((metrics) => operatorProgress(metrics, operatorBytes(metrics.operatorId))),
    sources: sourceProgress(runtime, facts),
    sink: {
      description: sinksOfOutput(ports.sinks, "result")
        .map(({ kind }) => kind)
        .join(", "),
      numOutputRows: facts.output.numOutputRows,
    },
    numLateInputRows: sumRows((each) => each.numLateInputRows),
    partlyLateRows: sumRows((each) => each.partlyLate),
    drainedRows: records?.drained.length ?? 0,
    rowsIgnoredForWatermark: sumPasses((pass) => pass.rowsIgnoredForWatermark),
    malformedRows: records?.counts.malformed.length ?? 0,
    withoutTimeRows: sumPasses((pass) => pass.numRowsWithoutTime),
    filteredRows: sumPasses((pass) => pass.filtered),
    deliveredRecords: records?.counts.limit ?? 0,
    skippedRecords: records?.counts.skipped ?? 0,
    ancientRecords: records?.ancient ?? 0,
    decodedRecords: records?.counts.decoded ?? 0,
    heartbeats: records?.counts.heartbeats ?? 0,
    outOfOrderRecords: records?.outOfOrder ?? 0,
    runsAboveOutOfOrder: records?.runsAbove ?? 0,
    conflicts: facts.conflicts,
    coldStart: facts.coldStart,
    heldBackBy: facts.heldBackBy,
    watermarks: inputWatermarks(runtime.query, runtime.rules, facts.registers),
    stateBytes: sumBytes(runtime.query.tables),
    numLateInputRowsByShard: lateByShard(facts),
    timeAvailableMs: facts.timeAvailableMs,
    unpublishedBatches: facts.unpublished,
    neverEvicts: runtime.neverEvicts,
    ...(facts.stage === undefined ? {} : { stage: facts.stage }),
    eventTimeWarnings: eventTimeWarnings(stats, facts.processingTime),
  };
}

const SHARDS_NAMED = 8;

/** Late rows of a chained operator have no record and count for no shard. */
const lateByShard = ({ output }: ProgressFacts): Readonly<Record<string, number>> =>
  Object.fromEntries([...output.lateByShard].sort(([, a], [, b]) => b - a).slice(0, SHARDS_NAMED));

function sourceProgress({ query }: QueryRuntime, { position, records }: ProgressFacts): readonly SourceProgress[] {
  if (records === null) return [];
  return query.sources.map(({ name }, node) => {
    const startOffset: Record<string, string> = {};
    const endOffset: Record<string, string> = {};
    for (const { shard, last } of records.offsets) {
      if (!shard.startsWith(shardKey(name, ""))) continue;
      const known = position.offsets.get(shard);
      const newest = known?.runs.at(-1)?.last ?? known?.through ?? null;
      if (newest !== null) startOffset[shard] = offsetText(newest);
      endOffset[shard] = offsetText(newest !== null && comparePositions(newest, last) > 0 ? newest : last);
    }
    return { description: name, startOffset, endOffset, numInputRows: records.counts.numInputRows.get(node) ?? 0 };
  });
}

/** Spark reports a rate over no time as 0. */
const perSecond = (rows: number, seconds: number): number => (seconds > 0 ? Math.round((rows / seconds) * 10) / 10 : 0);
