import type { ShardOffsets } from "../checkpoint/offsets.js";
import type { PartitionPosition } from "../checkpoint/state-partition.js";
import { userError } from "../errors.js";
import type { Position } from "../sources/source.js";
import type { InputRecord, MicroBatchInput } from "./micro-batch-input.js";
import { shardKey } from "./shard-registers.js";

export interface Skipped {
  /** By record: 1 where an earlier commit consumed it. */
  readonly consumed: Uint8Array;
  /** Fresh records below a run of consumed ones (protocol.md rule 4). */
  readonly outOfOrder: number;
}

/** A repeat arrived when the first delivery did; more than this after the newest arrival, it is another stream's record. */
const RECREATED_AFTER_MS = 60_000;

export function skipConsumed(input: MicroBatchInput, position: PartitionPosition): Skipped {
  const consumed = new Uint8Array(input.records.length);
  let outOfOrder = 0;
  input.records.forEach((entry, index) => {
    const key = shardKey(entry.delivery.source, entry.delivery.shard);
    const offsets = position.offsets.get(key);
    if (offsets === undefined) return;
    if (isConsumed(offsets, entry.record)) {
      refuseRecreated(entry, position.registers.perShard[key]?.newestArrival);
      consumed[index] = 1;
    } else if (offsets.runs.some((run) => comparePositions(entry.record, run.first) < 0)) outOfOrder++;
  });
  return { consumed, outOfOrder };
}

const isConsumed = (offsets: ShardOffsets, at: Position): boolean =>
  (offsets.through !== null && comparePositions(at, offsets.through) <= 0) ||
  offsets.runs.some((run) => comparePositions(at, run.first) >= 0 && comparePositions(at, run.last) <= 0);

/** As integers: a longer number is the greater one, whatever its digits. */
export function comparePositions(a: Position, b: Position): number {
  if (a.sequence !== b.sequence) {
    const left = a.sequence.replace(/^0+(?=\d)/, "");
    const right = b.sequence.replace(/^0+(?=\d)/, "");
    if (left.length !== right.length) return left.length - right.length;
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.sub - b.sub;
}

function refuseRecreated({ delivery, record }: InputRecord, newestArrival: number | undefined): void {
  if (record.arrival === null || newestArrival === undefined) return;
  if (record.arrival <= newestArrival + RECREATED_AFTER_MS) return;
  throw userError(
    "source-recreated",
    `${delivery.stream} ${delivery.shard}: record ${record.sequence} counts as consumed but arrived long after the newest one.`,
    "The stream was deleted and made again: start a new incarnation of the query.",
  );
}
