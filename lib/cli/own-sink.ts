import { setTimeout as wait } from "node:timers/promises";
import { userError } from "../errors.js";
import { lazyClients } from "../lambda/clients.js";
import { ENVIRONMENT, hasOwnEndpoints } from "../lambda/environment.js";
import { openFormerSink, openQuerySinks, type SinkWorld } from "../lambda/sinks.js";
import { sinksOf } from "../plan/connectors/catalogue.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { OutputSinks, Sink } from "../sinks/sink.js";

interface OwnSinkOptions {
  readonly bucket: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The sinks that the query names, for its results; side outputs of a run over files stay with the run. */
export async function ownSinks(
  definition: QueryDefinition,
  options: OwnSinkOptions,
): Promise<Pick<OutputSinks, "result" | "others">> {
  const world = worldOf(definition, options);
  for (const sink of sinksOf(definition))
    if ((sink.kind === "s3" || sink.kind === "delta") && sink.bucket === undefined && world.bucket === "") {
      throw userError("bucket-missing", `The sink ${sink.kind}() names no bucket.`, "Give --bucket NAME.");
    }
  const { result, others = [] } = await openQuerySinks(definition, world);
  return { result, others };
}

/** A sink of an earlier run with `--sink own`. */
export const formerOwnSink = (
  target: string,
  definition: QueryDefinition,
  options: OwnSinkOptions,
): Promise<Sink | null> => openFormerSink(target, worldOf(definition, options));

const worldOf = ({ functions }: QueryDefinition, { bucket, env }: OwnSinkOptions): SinkWorld => ({
  clients: lazyClients(hasOwnEndpoints(env)),
  functions,
  bucket: bucket ?? env[ENVIRONMENT.bucket] ?? "",
  random: Math.random,
  sleep: (ms) => wait(ms),
});
