import { userError } from "../errors.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import { openStagedQuery } from "../runtime/stages/open-staged-query.js";
import type { StagedQuery } from "../runtime/stages/staged-query.js";
import { lazyClients } from "./clients.js";
import { ENVIRONMENT, type Environment } from "./environment.js";
import { type Reports, worldOnAws } from "./open-on-aws.js";

/**
 * Both stages of a query on AWS.
 * @throws `environment-incomplete` without a shuffle stream
 */
export async function openStagedOnAws(
  definition: QueryDefinition,
  environment: Environment,
  reports: Reports,
): Promise<StagedQuery> {
  const { shuffleStream, ownEndpoints } = environment;
  if (shuffleStream === null)
    throw userError(
      "environment-incomplete",
      `The environment variable ${ENVIRONMENT.shuffleStream} is not set, and the query has several state partitions.`,
      "Deploy with the construct StreamingQuery, which makes the stream and sets it.",
    );
  const clients = lazyClients(ownEndpoints);
  const [world, kinesis, { kinesisShuffleStream }] = await Promise.all([
    worldOnAws(definition, environment, reports, clients),
    clients.kinesis(),
    import("../shuffle/kinesis-shuffle-stream.js"),
  ]);
  const { statePartitions } = definition.options;
  return openStagedQuery(definition, {
    ...world,
    shuffle: kinesisShuffleStream(kinesis, shuffleStream, statePartitions),
  });
}
