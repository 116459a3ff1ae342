import { comparePositions, highestConsumed, isConsumed, NO_OFFSETS, runsAbove } from "../checkpoint/offsets.js";
import { isRetired, shardKey } from "../checkpoint/registers.js";
import type { PartitionPosition } from "../checkpoint/state-partition.js";
import { userError } from "../errors.js";
import type { Delivery, SourceRecord } from "../sources/source.js";
import type { MicroBatchInput } from "./micro-batch-input.js";

export interface Skipped {
  /** By record: 1 where an earlier commit consumed it. */
  readonly consumed: Uint8Array;
  /** Fresh records below a run of consumed ones (protocol.md rule 4). */
  readonly outOfOrder: number;
  /** The most runs that stand above one of them: above half of `MAX_RUNS` records are in danger. */
  readonly runsAbove: number;
}

/**
 * Within a shard arrivals ascend with the numbers: a record not above all that was consumed, repeat or not, arrived no later than
 * the newest one. More than this after it, it is another stream's record.
 */
const RECREATED_AFTER_MS = 60_000;

export function skipConsumed(input: MicroBatchInput, position: PartitionPosition): Skipped {
  const consumed = new Uint8Array(input.records.length);
  let outOfOrder = 0;
  let mostAbove = 0;
  for (const range of input.ranges) {
    const { delivery, first, end } = range;
    if (isAncient(delivery, position)) {
      skipAncient(input, position, range, consumed);
      continue;
    }
    const { key, offsets, highest } = consumedOf(delivery, position);
    if (highest === null) continue;
    for (let at = first; at < end; at++) {
      const record = input.records[at]!;
      // In order, every record is above all that was consumed: one comparison instead of one per run.
      if (comparePositions(record, highest) > 0) continue;
      refuseRecreated(delivery, record, position.registers.perShard[key]?.newestArrival);
      if (isConsumed(offsets, record)) {
        consumed[at] = 1;
        continue;
      }
      const above = runsAbove(offsets, record);
      if (above > 0) outOfOrder++;
      mostAbove = Math.max(mostAbove, above);
    }
  }
  return { consumed, outOfOrder, runsAbove: mostAbove };
}

/** Of a shard that is retired: whatever of it comes still was consumed once, for its children were read after it. */
const isAncient = ({ source, shard }: Delivery, { registers }: PartitionPosition): boolean =>
  isRetired(registers, shardKey(source, shard));

function skipAncient(
  { records }: MicroBatchInput,
  { registers }: PartitionPosition,
  { delivery, first, end }: MicroBatchInput["ranges"][number],
  consumed: Uint8Array,
): void {
  const newestArrival = registers.retired[shardKey(delivery.source, delivery.shard)];
  for (let at = first; at < end; at++) refuseRecreated(delivery, records[at]!, newestArrival);
  consumed.fill(1, first, end);
}

/** How many of the records before `limit` are of retired shards; all of them are skipped. */
export function countAncient({ ranges }: MicroBatchInput, position: PartitionPosition, limit: number): number {
  let count = 0;
  for (const { delivery, first, end } of ranges)
    if (isAncient(delivery, position)) count += Math.max(0, Math.min(limit, end) - first);
  return count;
}

function consumedOf({ source, shard }: Delivery, { offsets }: PartitionPosition) {
  const key = shardKey(source, shard);
  const consumed = offsets.get(key) ?? NO_OFFSETS;
  return { key, offsets: consumed, highest: highestConsumed(consumed) };
}

function refuseRecreated(delivery: Delivery, record: SourceRecord, newestArrival: number | undefined): void {
  if (record.arrival === null || newestArrival === undefined) return;
  if (record.arrival <= newestArrival + RECREATED_AFTER_MS) return;
  throw userError(
    "source-recreated",
    `${delivery.stream} ${delivery.shard}: record ${record.sequence} stands below consumed ones but arrived long after them.`,
    "The stream was deleted and made again: start a new incarnation of the query.",
  );
}
