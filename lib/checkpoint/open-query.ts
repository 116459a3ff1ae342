import { externalError, userError } from "../errors.js";
import type { CheckpointLog, MetaItem } from "./checkpoint-log.js";
import { incarnationOf } from "./keys.js";
import { decodeMeta, encodeMeta, fingerprintOf, type Meta } from "./meta-codec.js";
import { checkCompatible, type StateSchema } from "./state-schema.js";

export interface OpenQueryOptions {
  readonly log: CheckpointLog;
  readonly query: string;
  /** Epoch ms; becomes the incarnation of a new checkpoint. */
  readonly now: () => number;
  readonly statePartitions: number;
  readonly stateSchema: StateSchema;
  /** The published function version; `next`: one above whatever stands, for runs that have no versions. */
  readonly generation: number | "next";
}

export interface OpenedQuery {
  readonly incarnation: string;
  readonly generation: number;
}

const MAX_ATTEMPTS = 10;

/**
 * Rule 13, before the first load: creates `meta`, or checks the query against it and raises its generation.
 * Refuses with `key-schema-changed`, `state-schema-changed`, `state-partitions-changed`, `superseded`.
 */
export async function openQuery(options: OpenQueryOptions): Promise<OpenedQuery> {
  const { log, query } = options;
  let item = await log.readMeta();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (item === null) {
      const meta = newMeta(options);
      const { created, meta: standing } = await log.createMeta({ revision: 1, body: encodeMeta(meta) });
      if (created) return meta;
      item = standing;
      continue;
    }
    const standing = decodeMeta(item.body);
    const next = nextMeta(options, standing);
    if (next.generation === standing.generation && next.fingerprint === standing.fingerprint) return standing;
    const wanted: MetaItem = { revision: item.revision + 1, body: encodeMeta(next) };
    const { replaced, meta: found } = await log.replaceMeta(wanted, item.revision);
    if (replaced) return next;
    item = found;
  }
  throw externalError("meta-contended", `The meta item of ${query} kept changing.`, "It is retried.");
}

const newMeta = ({ now, statePartitions, stateSchema, generation }: OpenQueryOptions): Meta => ({
  incarnation: incarnationOf(now()),
  statePartitions,
  fingerprint: fingerprintOf(stateSchema),
  stateSchema,
  generation: generation === "next" ? 1 : generation,
});

/** Only what new code may change: schema and generation. The incarnation and the number of partitions never do. */
function nextMeta({ query, statePartitions, stateSchema, generation }: OpenQueryOptions, standing: Meta): Meta {
  const own = generation === "next" ? standing.generation + 1 : generation;
  if (own < standing.generation) {
    throw userError(
      "superseded",
      `Newer code (generation ${standing.generation}, above ${own}) has taken over ${query}.`,
      "A rollback is deployed as a new, higher version.",
    );
  }
  if (statePartitions !== standing.statePartitions) {
    throw userError(
      "state-partitions-changed",
      `${query} has ${standing.statePartitions} state partitions, not ${statePartitions}.`,
      "Keep the number, or give the query a new queryName to start from nothing.",
    );
  }
  checkCompatible(query, standing.stateSchema, stateSchema);
  return { ...standing, fingerprint: fingerprintOf(stateSchema), stateSchema, generation: own };
}
