import type { Unprocessed } from "../runtime/micro-batch-input.js";

/** Lambda takes the lowest sequence number as its checkpoint and sends again everything from there. Empty: all is done. */
export interface BatchResponse {
  readonly batchItemFailures: { itemIdentifier: string }[];
}

/** An event holds one shard, so one number says all; a sub-record's aggregate comes again whole and its consumed part is skipped. */
export function batchResponse(unprocessed: readonly Unprocessed[]): BatchResponse {
  let lowest: string | null = null;
  for (const { sequence } of unprocessed) if (lowest === null || BigInt(sequence) < BigInt(lowest)) lowest = sequence;
  return { batchItemFailures: lowest === null ? [] : [{ itemIdentifier: lowest }] };
}

/** What a Kafka mapping with partial answers takes: from where each partition is sent again (AWS, "Partial batch response" of Kafka). */
export interface KafkaBatchResponse {
  readonly batchItemFailures: { itemIdentifier: { partition: string; offset: number } }[];
}

/** `topicOf`: the topic of a source of the query. */
export const kafkaBatchResponse = (
  unprocessed: readonly Unprocessed[],
  topicOf: (source: string) => string,
): KafkaBatchResponse => ({
  batchItemFailures: unprocessed.map(({ source, shard, sequence }) => ({
    itemIdentifier: { partition: `${topicOf(source)}-${shard}`, offset: Number(sequence) },
  })),
});
