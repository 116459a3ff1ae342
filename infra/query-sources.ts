import type { SourceConnector } from "../lib/plan/connectors/source-connector.js";
import type { QueryDefinition, StaticNode } from "../lib/plan/logical-plan.js";
import { nodesUpwards } from "../lib/plan/walk.js";
import { sourcesOf } from "../lib/runtime/query-sources.js";

/** What the construct reads of a query object: its definition, and what `writeStream` had to say about it. */
export interface DeployableQuery {
  readonly definition: QueryDefinition;
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly remedy: string }[];
}

export interface QuerySource {
  readonly name: string;
  readonly descriptor: SourceConnector;
}

/** The source nodes of a plan, each name once, in plan order. */
export const querySources = ({ definition }: DeployableQuery): readonly QuerySource[] => [
  ...new Map(sourcesOf(definition.plan).map(({ name, descriptor }) => [name, { name, descriptor }])).values(),
];

/** The stream that a Kinesis source reads; null where the construct maps nothing to the function. */
export function streamName({ descriptor }: QuerySource): string | null {
  switch (descriptor.kind) {
    case "kinesis":
      return descriptor.stream;
    case "kafka":
    case "files":
    case "memory":
      return null;
  }
}

/** The ids of the operators that keep state, each once, upstream first. */
export const statefulOperators = ({ definition }: DeployableQuery): readonly string[] => [
  ...new Set(nodesUpwards(definition.plan).flatMap((node) => ("operatorId" in node ? [node.operatorId] : []))),
];

/** The fixed tables of a plan, each name once. */
export const staticTables = ({ definition }: DeployableQuery): readonly StaticNode[] => [
  ...new Map(
    nodesUpwards(definition.plan)
      .filter((node) => node.kind === "static")
      .map((node) => [node.name, node]),
  ).values(),
];
