import { compareDigits, toDecimal } from "./digits.js";

export interface StreamRecord {
  readonly SequenceNumber: string;
  /** Epoch seconds. */
  readonly ApproximateArrivalTimestamp: number;
  readonly PartitionKey: string;
  /** Base64, as it travels both ways. */
  readonly Data: string;
}

export interface ShardRange {
  readonly id: string;
  readonly number: number;
  /** 32 hexadecimal digits, both inclusive. */
  readonly low: string;
  readonly high: string;
  readonly parents: readonly string[];
  readonly firstSequence: string;
}

export interface Shard extends ShardRange {
  readonly records: StreamRecord[];
  /** Set when the shard was split or merged. */
  lastSequence?: string;
}

export const shardId = (number: number): string => `shardId-${String(number).padStart(12, "0")}`;

/** Index of the first record above `sequence`. */
export function firstAfter(shard: Shard, sequence: string): number {
  return firstIndex(shard.records, (record) => compareDigits(record.SequenceNumber, sequence) > 0);
}

/** Of a condition that holds from some record on. */
export function firstIndex(records: readonly StreamRecord[], holds: (record: StreamRecord) => boolean): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(records[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const hashKeyRange = ({ low, high }: ShardRange) => ({
  StartingHashKey: toDecimal(low),
  EndingHashKey: toDecimal(high),
});

export function describeShard(shard: Shard) {
  const [parent, adjacent] = shard.parents;
  return {
    ShardId: shard.id,
    ...(parent === undefined ? {} : { ParentShardId: parent }),
    ...(adjacent === undefined ? {} : { AdjacentParentShardId: adjacent }),
    HashKeyRange: hashKeyRange(shard),
    SequenceNumberRange: {
      StartingSequenceNumber: shard.firstSequence,
      ...(shard.lastSequence === undefined ? {} : { EndingSequenceNumber: shard.lastSequence }),
    },
  };
}
