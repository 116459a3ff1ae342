import { externalError, userError } from "../errors.js";
import type { Fingerprint } from "../plan/fingerprint.js";
import type { LateRule, WatermarkPolicy } from "../plan/logical-plan.js";
import type { CheckpointLog, MetaItem } from "./checkpoint-log.js";
import { incarnationOf } from "./keys.js";
import { decodeMeta, digestOf, encodeMeta, type Meta } from "./meta-codec.js";
import { superseded } from "./superseded.js";

export interface OpenQueryOptions {
  readonly log: CheckpointLog;
  readonly query: string;
  /** Epoch ms; becomes the incarnation of a new checkpoint. */
  readonly now: () => number;
  readonly statePartitions: number;
  /** Of the query over this checkpoint, whose operators are found by what is stored of them; null: a new one. */
  readonly schemaOver: (stored: Fingerprint | null) => Fingerprint;
  /** Where results go (`Sink.target`); free to change, for what is committed knows its own. */
  readonly sink: string;
  /** `plan/check-compatible`'s: throws, with old and new side by side, where stored state cannot be read by the query. */
  readonly checkCompatible: (stored: Fingerprint, current: Fingerprint) => void;
  /** Of a new checkpoint; an older one keeps its own, as Spark's does (SEMANTICS I3). */
  readonly watermarkPolicy: WatermarkPolicy;
  /** Recorded, and free to change: it decides about rows to come, not about rows that stand. */
  readonly lateRule: LateRule;
  /** The published function version; `next`: one above whatever stands, for runs that have no versions. */
  readonly generation: number | "next";
}

interface OpenedQuery {
  readonly incarnation: string;
  /** The checkpoint's. */
  readonly watermarkPolicy: WatermarkPolicy;
  readonly generation: number;
}

const MAX_ATTEMPTS = 10;

/**
 * Rule 13, before the first load: creates `meta`, or checks the query against it and raises its generation.
 * @throws `source-changed`, `stored-operators-alike`, `state-key-schema-changed`, `state-value-schema-changed`, `output-mode-changed`, `state-partitions-changed`, `superseded`
 */
export async function openQuery(options: OpenQueryOptions): Promise<OpenedQuery> {
  const { log, query } = options;
  let item = await log.readMeta();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (item === null) {
      const meta = newMeta(options, options.schemaOver(null));
      // The revision starts at the incarnation: an environment that slept over a reset must not put its old meta back.
      const first: MetaItem = { revision: Number(meta.incarnation), body: encodeMeta(meta) };
      const { created, meta: standing } = await log.createMeta(first);
      if (created) return meta;
      item = standing;
      continue;
    }
    const standing = decodeMeta(item.body);
    const next = nextMeta(options, standing);
    if (isSame(next, standing)) return standing;
    const wanted: MetaItem = { revision: item.revision + 1, body: encodeMeta(next) };
    const { replaced, meta: found } = await log.replaceMeta(wanted, item.revision);
    if (replaced) return next;
    item = found;
  }
  throw externalError("meta-contended", `The meta item of ${query} kept changing.`, "It is retried.");
}

const newMeta = (options: OpenQueryOptions, stateSchema: Fingerprint): Meta => ({
  incarnation: incarnationOf(options.now()),
  statePartitions: options.statePartitions,
  fingerprint: digestOf(stateSchema),
  stateSchema,
  sink: options.sink,
  watermarkPolicy: options.watermarkPolicy,
  lateRule: options.lateRule,
  generation: options.generation === "next" ? 1 : options.generation,
});

const isSame = (a: Meta, b: Meta): boolean =>
  a.generation === b.generation && a.fingerprint === b.fingerprint && a.lateRule === b.lateRule && a.sink === b.sink;

/** Only what new code may change: schema, late rule, sink and generation. The incarnation and the number of partitions never do. */
function nextMeta(options: OpenQueryOptions, standing: Meta): Meta {
  const { query, statePartitions, generation, lateRule, sink } = options;
  const own = generation === "next" ? standing.generation + 1 : generation;
  if (own < standing.generation) throw superseded(query, own);
  if (statePartitions !== standing.statePartitions) {
    throw userError(
      "state-partitions-changed",
      `${query} has ${standing.statePartitions} state partitions, not ${statePartitions}.`,
      "Keep the number, or give the query a new queryName to start from nothing.",
    );
  }
  const stateSchema = options.schemaOver(standing.stateSchema);
  options.checkCompatible(standing.stateSchema, stateSchema);
  return { ...standing, fingerprint: digestOf(stateSchema), stateSchema, lateRule, sink, generation: own };
}
