import { shardKey } from "../../checkpoint/registers.js";
import type { PartitionPosition } from "../../checkpoint/state-partition.js";
import type { RejectedRow } from "../../operators/operator.js";
import { ringId } from "../../shuffle/ring-id.js";
import { type CrossingRow, entryRecords } from "../../shuffle/shuffle-parts.js";
import { shuffleOutbox } from "../../shuffle/shuffle-sink.js";
import type { Delivery } from "../../sources/source.js";
import { type Attempt, commitAttempts, type MicroBatchOutcome, stagerFor } from "../micro-batch.js";
import { decodeDeliveries, firstLeft, type MicroBatchInput, newestArrival } from "../micro-batch-input.js";
import type { Deadline } from "../ports.js";
import { publishPending } from "../publish-pending.js";
import { processingTimeOf } from "../query-runtime.js";
import { runRecords } from "../run-records.js";
import { skipConsumed } from "../skip-consumed.js";
import { stopwatch } from "../stopwatch.js";
import { firstEntry } from "./first-entry.js";
import type { ShuffleStage } from "./shuffle-stage.js";

type RecordsRun = NonNullable<Awaited<ReturnType<typeof runRecords>>["run"]>;

/**
 * One delivery of a source shard, through everything before the cut, into one entry of the shard's ring: rows by partition, and
 * what the shard has shown (S4, S5). Returns after all that is pending is published, also when there was nothing left to do (S9) [CS15].
 */
export async function runShuffleBatch(
  stage: ShuffleStage,
  delivery: Delivery,
  deadline: Deadline | null,
): Promise<MicroBatchOutcome> {
  const { runtime } = stage;
  const { query, ports } = runtime;
  const ring = stage.ringOf(delivery.source, delivery.shard);
  const watch = stopwatch(ports.clock);
  const mustStop = (aheadMs = 0) =>
    deadline !== null && ports.clock.now() + aheadMs >= deadline.at - deadline.reserveMs;
  const input = decodeDeliveries(query.sources, ports.decoders, [delivery]);
  watch.lap("decode");
  const { coldStart } = await ring.load({ fresh: true });
  watch.lap("load");

  let stoppedAt = input.records.length;
  let failure: unknown;
  const progress = await commitAttempts(runtime, ring, { watch, deadline, coldStart }, async (position) => {
    const { consumed, ...outOfOrder } = skipConsumed(input, position);
    const processingTime = processingTimeOf(runtime, position);
    const { registers } = position;
    const arrival = newestArrival(input, input.records.length) ?? processingTime;
    const { run, ...failed } = await runRecords(runtime, ring, {
      input,
      consumed,
      registers,
      processingTime,
      mustStop,
      // Which evidence counts is decided where the rows are: here it is collected, whole.
      advance: (seen, watermark) => ({ registers: seen, watermark, heldBackBy: null }),
      newStager: () => stagerFor(runtime, ring, { input, arrival }),
    });
    failure = failed.failure?.error;
    stoppedAt = run?.counts.limit ?? failed.failure?.record ?? input.records.length;
    if (run === null) return null;
    const { counts, drained, offsets, ...outcome } = run;
    const records = { input, counts, drained, offsets, ancient: 0, ...outOfOrder };
    return { ...outcome, processingTime, records, ...(await entryOf(stage, delivery, input, position, run)) };
  });
  if (progress === null) await publishPending(runtime, ring, deadline);
  return { progress, unprocessed: firstLeft(input, stoppedAt), failure };
}

interface Crossing extends CrossingRow {
  /** In the micro-batch: of the record that it came from. */
  readonly record: number;
  readonly source: number;
}

/** The records of the entry that follows `position`, and the rows that fit in none. */
async function entryOf(
  stage: ShuffleStage,
  delivery: Delivery,
  input: MicroBatchInput,
  { version }: PartitionPosition,
  run: RecordsRun,
): Promise<Pick<Attempt, "outbox" | "rejected" | "stage">> {
  const { source, shard, stream } = delivery;
  const rows = crossingRows(stage, input);
  const { list, heads } = version === 0 ? await firstEntry(stage, delivery) : {};
  const { records, tooLarge } = entryRecords(
    {
      head: {
        query: stage.runtime.definition.queryName,
        incarnation: stage.incarnation,
        generation: stage.generation,
        source,
        shard,
        batchId: version + 1,
        ...(heads === undefined ? {} : { heads }),
      },
      stream,
      marker: {
        register: run.registers.perShard[shardKey(source, shard)]!,
        newestArrival: newestArrival(input, run.counts.limit),
        ...(list === undefined ? {} : { list }),
      },
      schemaOf: (name) => stage.inputs.schemas[stage.inputs.names.indexOf(name)]!,
    },
    rows,
    stage.limits,
  );
  return {
    outbox: shuffleOutbox(records),
    rejected: tooLarge.map(rejectedRow),
    stage: {
      name: "shuffle",
      partition: ringId(source, shard),
      rowsShuffled: rows.reduce((sum, own) => sum + own.length, 0) - tooLarge.length,
      rowsTooLarge: tooLarge.length,
    },
  };
}

/** A row's partition is computed here, before the commit, and never after (S3) [CS14]. */
function crossingRows({ shuffle, inputs, partitions, partitionOf }: ShuffleStage, input: MicroBatchInput) {
  const byPartition: Crossing[][] = Array.from({ length: partitions }, () => []);
  for (const { rows, origin } of shuffle.cutRows())
    rows.forEach((row, at) => {
      const { source, record } = origin[at]!;
      const { sequence, sub } = input.records[record]!;
      const arrival = input.arrivals[record] ?? null;
      const crossing = { row, input: inputs.names[source]!, origin: { sequence, sub, arrival }, record, source };
      byPartition[partitionOf[source]!(row)]!.push(crossing);
    });
  return byPartition;
}

const rejectedRow = ({ row, record, source }: Crossing): RejectedRow => ({
  operatorId: "shuffle",
  row,
  origin: { source, record },
  reason: "row-too-large",
  detail: "The row takes over 1 MB between the stages.",
});
