import { isRetired, type Registers, shardKey } from "../checkpoint/registers.js";
import { externalError } from "../errors.js";
import type { Delivery } from "../sources/source.js";
import type { QueryRuntime } from "./query-runtime.js";
import { retireShards } from "./retire-shards.js";
import { isListed, recordShardList } from "./shard-registers.js";

/**
 * The shards of a source are recorded before (here: in) the first commit that may move the watermark, and again when a record
 * comes from one that is not among them: a child, whose parents then count as drained. What the source no longer names may retire
 * here, but no shard that this very batch reads.
 */
export async function listNewShards(
  { query, ports, rules }: QueryRuntime,
  registers: Registers,
  deliveries: readonly Delivery[],
): Promise<Registers> {
  let next = registers;
  for (const [source, lister] of ports.shardListers) {
    const read = deliveries
      .filter((delivery) => delivery.source === source && !isRetired(next, shardKey(source, delivery.shard)))
      .map(({ shard }) => ({ shard, parents: [] }));
    const unknown = read.filter(({ shard }) => !isListed(next, source, shard));
    const isKnown = unknown.length === 0 && next.shardList[source] !== undefined;
    if (rules.sources.get(source)?.across === "max" || isKnown) continue;
    const listed = await listOrFail(source, () => lister.listShards());
    // A listing may lag behind what is delivered; a shard that was read holds the watermark all the same.
    const unlisted = unknown.filter(({ shard }) => !listed.some((info) => info.shard === shard));
    next = recordShardList(next, source, [...listed, ...unlisted]);
    next = retireShards(next, query, source, [...listed, ...read]);
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
