import type { Registers } from "../checkpoint/registers.js";
import { externalError } from "../errors.js";
import type { Delivery } from "../sources/source.js";
import type { QueryRuntime } from "./query-runtime.js";
import { isListed, recordShardList } from "./shard-registers.js";

/**
 * The shards of a source are recorded before (here: in) the first commit that may move the watermark, and again when a record
 * comes from one that is not among them: a child, whose parents then count as drained.
 */
export async function listNewShards(
  { ports, rules }: QueryRuntime,
  registers: Registers,
  deliveries: readonly Delivery[],
): Promise<Registers> {
  let next = registers;
  for (const [source, lister] of ports.shardListers) {
    const known = deliveries.every((delivery) => delivery.source !== source || isListed(next, source, delivery.shard));
    if (rules.sources.get(source)?.across === "max" || (known && next.shardList[source] !== undefined)) continue;
    const listed = await listOrFail(source, () => lister.listShards());
    // A listing may lag behind what is delivered; a shard that was read holds the watermark all the same.
    const unlisted = deliveries
      .filter((delivery) => delivery.source === source && !listed.some(({ shard }) => shard === delivery.shard))
      .map(({ shard }) => ({ shard, parents: [] }));
    next = recordShardList(next, source, [...listed, ...unlisted]);
  }
  return next;
}

export async function listOrFail<Result>(source: string, list: () => Promise<Result>): Promise<Result> {
  try {
    return await list();
  } catch (cause) {
    throw externalError(
      "shards-unreadable",
      `The shards of "${source}" cannot be listed.`,
      "Check the function's permission kinesis:ListShards and the stream's name.",
      cause,
    );
  }
}
