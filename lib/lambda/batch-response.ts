import type { Unprocessed } from "../runtime/micro-batch-input.js";

/** Lambda takes the lowest sequence number as its checkpoint and sends again everything from there. Empty: all is done. */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** An event holds one shard, so one number says all; a sub-record's aggregate comes again whole and its consumed part is skipped. */
export function batchResponse(unprocessed: readonly Unprocessed[]): BatchResponse {
  let lowest: string | null = null;
  for (const { sequence } of unprocessed) if (lowest === null || BigInt(sequence) < BigInt(lowest)) lowest = sequence;
  return { batchItemFailures: lowest === null ? [] : [{ itemIdentifier: lowest }] };
}
