import type { ShardInfo } from "../../checkpoint/registers.js";
import { externalError } from "../../errors.js";
import type { Delivery } from "../../sources/source.js";
import { listOrFail } from "../list-new-shards.js";
import { publishPending } from "../publish-pending.js";
import type { ShuffleStage } from "./shuffle-stage.js";

/** What a ring's first entry says beside its rows (S7). */
interface FirstEntry {
  readonly list?: readonly ShardInfo[];
  readonly heads?: Readonly<Record<string, number>>;
}

/**
 * Asked after the delivery and before the commit: whoever reads a child's first evidence then knows its sister too [CS9], and whether all
 * that its parents had to say has come [CS5].
 * @throws `shard-unlisted` while the listing lags behind the delivery
 */
export async function firstEntry(stage: ShuffleStage, { source, shard }: Delivery): Promise<FirstEntry> {
  const { ports, rules } = stage.runtime;
  const lister = ports.shardListers.get(source);
  if (lister === undefined) return {};
  const listed = await listOrFail(source, () => lister.listShards());
  const own = listed.find((info) => info.shard === shard);
  if (own === undefined)
    throw externalError(
      "shard-unlisted",
      `The list of shards of "${source}" does not name ${shard} yet, whose records have come.`,
      "The records come again; Kinesis lists a new shard within seconds.",
    );
  const heads: Record<string, number> = {};
  for (const parent of own.parents) heads[parent] = await publishedHead(stage, source, parent);
  return {
    ...(rules.sources.get(source)?.across === "max" ? {} : { list: listed }),
    ...(own.parents.length === 0 ? {} : { heads }),
  };
}

/** The last entry of a ring, all of it published: what is told of it must have come to every partition [CS6]. */
export async function publishedHead(stage: ShuffleStage, source: string, shard: string): Promise<number> {
  const ring = stage.ringOf(source, shard);
  await ring.load({ fresh: true });
  await publishPending(stage.runtime, ring, null);
  return ring.position().version;
}
