import { userError } from "../lib/errors.js";
import { type DeployableQuery, querySources } from "./query-sources.js";

const SOURCES: ReadonlySet<string> = new Set(["kinesis", "kafka"]);
const SINKS: ReadonlySet<string> = new Set(["s3", "dynamodb", "kinesis", "foreachBatch", "console"]);

/**
 * Stops the synth where the function would only fail later. What a plan may not do has been refused when the query was built.
 * @throws `source-kind`, `sink-kind`
 */
export function requireDeployable(query: DeployableQuery): void {
  const { queryName, sink } = query.definition;
  for (const { name, descriptor } of querySources(query))
    if (!SOURCES.has(descriptor.kind))
      throw userError(
        "source-kind",
        `The query '${queryName}' reads '${name}' from ${descriptor.kind}(), which no Lambda function can.`,
        "Read it with kinesis() or kafka() where it is deployed; run files with the command line.",
      );
  if (!SINKS.has(sink.kind))
    throw userError(
      "sink-kind",
      `The query '${queryName}' writes to ${sink.kind}(), which no Lambda function can.`,
      "Use s3(), dynamodb(), kinesis(), foreachBatch() or console().",
    );
}
