import { setTimeout as wait } from "node:timers/promises";
import { userError } from "../errors.js";
import { lazyClients } from "../lambda/clients.js";
import { ENVIRONMENT, hasOwnEndpoints } from "../lambda/environment.js";
import { openSinks } from "../lambda/sinks.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { Sink } from "../sinks/sink.js";

interface OwnSinkOptions {
  readonly bucket: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The sink that the query names, for its results; side outputs of a run over files stay with the run. */
export async function ownSink({ sink, functions }: QueryDefinition, { bucket, env }: OwnSinkOptions): Promise<Sink> {
  const named = bucket ?? env[ENVIRONMENT.bucket];
  if ((sink.kind === "s3" || sink.kind === "delta") && sink.bucket === undefined && named === undefined) {
    throw userError("bucket-missing", `The sink ${sink.kind}() names no bucket.`, "Give --bucket NAME.");
  }
  const sinks = await openSinks(sink, {
    clients: lazyClients(hasOwnEndpoints(env)),
    functions,
    bucket: named ?? "",
    random: Math.random,
    sleep: (ms) => wait(ms),
  });
  return sinks.result;
}
