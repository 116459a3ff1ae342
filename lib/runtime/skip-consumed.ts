import { comparePositions, highestConsumed, isConsumed, NO_OFFSETS, runsAbove } from "../checkpoint/offsets.js";
import type { PartitionPosition } from "../checkpoint/state-partition.js";
import { userError } from "../errors.js";
import type { Delivery } from "../sources/source.js";
import type { InputRecord, MicroBatchInput } from "./micro-batch-input.js";
import { shardKey } from "./shard-registers.js";

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
  const shards = new Map(input.deliveries.map((delivery) => [delivery, consumedOf(delivery, position)]));
  input.records.forEach((entry, index) => {
    const { key, offsets, highest } = shards.get(entry.delivery)!;
    // In order, every record is above all that was consumed: one comparison instead of one per run.
    if (highest === null || comparePositions(entry.record, highest) > 0) return;
    refuseRecreated(entry, position.registers.perShard[key]?.newestArrival);
    if (isConsumed(offsets, entry.record)) {
      consumed[index] = 1;
      return;
    }
    const above = runsAbove(offsets, entry.record);
    if (above > 0) outOfOrder++;
    mostAbove = Math.max(mostAbove, above);
  });
  return { consumed, outOfOrder, runsAbove: mostAbove };
}

function consumedOf({ source, shard }: Delivery, { offsets }: PartitionPosition) {
  const key = shardKey(source, shard);
  const consumed = offsets.get(key) ?? NO_OFFSETS;
  return { key, offsets: consumed, highest: highestConsumed(consumed) };
}

function refuseRecreated({ delivery, record }: InputRecord, newestArrival: number | undefined): void {
  if (record.arrival === null || newestArrival === undefined) return;
  if (record.arrival <= newestArrival + RECREATED_AFTER_MS) return;
  throw userError(
    "source-recreated",
    `${delivery.stream} ${delivery.shard}: record ${record.sequence} stands below consumed ones but arrived long after them.`,
    "The stream was deleted and made again: start a new incarnation of the query.",
  );
}
