import type { Unprocessed } from "../runtime/micro-batch-input.js";
import type { Deadline } from "../runtime/ports.js";
import type { StreamingQuery } from "../runtime/streaming-query.js";
import type { Delivery } from "../sources/source.js";

interface PartitionsOutcome {
  /** Per partition that is not consumed to its end, the first record left. */
  readonly unprocessed: readonly Unprocessed[];
  /** What a user function threw, and the record at which it did: one per partition that it stopped. */
  readonly failures: readonly { readonly record: Unprocessed; readonly error: unknown }[];
  /** All that was delivered had been consumed before: nothing was committed, and no progress record tells of it. */
  readonly repeated: boolean;
}

/**
 * A batch of several partitions: one at which a user function throws stops there, and the others go on without it, each attempt a
 * micro-batch. Deliveries are handed over whole, for what is consumed of them is skipped by their offsets.
 */
export async function processPartitions(
  query: Pick<StreamingQuery, "processBatch">,
  deliveries: readonly Delivery[],
  deadline: Deadline | null,
): Promise<PartitionsOutcome> {
  const unprocessed: Unprocessed[] = [];
  const failures: { record: Unprocessed; error: unknown }[] = [];
  let rest = deliveries;
  let repeated = true;
  for (;;) {
    const { progress, unprocessed: left, failure } = await query.processBatch(rest, deadline);
    repeated &&= progress === null && failure === undefined && left.length === 0;
    if (failure === undefined) return { unprocessed: [...unprocessed, ...left], failures, repeated };
    const [stopped, ...others] = left;
    unprocessed.push(stopped!);
    failures.push({ record: stopped!, error: failure });
    rest = rest.filter((delivery) => others.some((other) => isOf(other, delivery)));
    if (rest.length === 0) return { unprocessed, failures, repeated };
  }
}

const isOf = (left: Unprocessed, { source, shard }: Delivery): boolean =>
  left.source === source && left.shard === shard;
