import { userError } from "../lib/errors.js";
import { SINKS, SOURCES, sinksOf } from "../lib/plan/connectors/catalogue.js";
import { type DeployableQuery, querySources } from "./query-sources.js";

/**
 * Stops the synth where the function would only fail later. What a plan may not do has been refused when the query was built.
 * @throws `source-kind`, `sink-kind`
 */
export function requireDeployable(query: DeployableQuery): void {
  const { queryName } = query.definition;
  for (const { name, descriptor } of querySources(query))
    if (!SOURCES[descriptor.kind].deployable)
      throw userError(
        "source-kind",
        `The query '${queryName}' reads '${name}' from ${descriptor.kind}(), which no Lambda function can.`,
        `Read it with ${choice(SOURCES)} where it is deployed; run files with the command line.`,
      );
  for (const { kind } of sinksOf(query.definition))
    if (!SINKS[kind].deployable)
      throw userError(
        "sink-kind",
        `The query '${queryName}' writes to ${kind}(), which no Lambda function can.`,
        `Use ${choice(SINKS)}.`,
      );
}

/** "a(), b() or c()": those that a function can use. */
function choice(catalogue: Readonly<Record<string, { readonly deployable: boolean }>>): string {
  const names = Object.keys(catalogue).filter((kind) => catalogue[kind]!.deployable);
  return `${names
    .slice(0, -1)
    .map((kind) => `${kind}()`)
    .join(", ")} or ${names.at(-1)}()`;
}
