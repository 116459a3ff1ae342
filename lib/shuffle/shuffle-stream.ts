/** A record on its way to the shard of its partition. */
export interface ShuffleRecord {
  readonly partition: number;
  readonly data: Uint8Array;
}

/** The query's own stream between its stages. Implementations: `kinesis-shuffle-stream`, `memory-shuffle-stream`. */
export interface ShuffleStream {
  /**
   * One call: at most 500 records and 5 MB, and no two of one ring and partition, for a call keeps no order. One answer per record: null if
   * it is stored, else the service's error code.
   */
  putRecords(records: readonly ShuffleRecord[]): Promise<readonly (string | null)[]>;
}

const HASH_KEYS = 2n ** 128n;

/** The middle of a partition's share of the hash keys: it stays in one shard, however the stream is resharded (S8). */
export const explicitHashKey = (partition: number, partitions: number): string =>
  ((BigInt(2 * partition + 1) * HASH_KEYS) / BigInt(2 * partitions)).toString();
