import type { Descriptor, LogicalNode, QueryDefinition } from "../lib/plan/logical-plan.js";

/** What the construct reads of a query object: its definition, and what `writeStream` had to say about it. */
export interface DeployableQuery {
  readonly definition: QueryDefinition;
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly remedy: string }[];
}

export interface QuerySource {
  readonly name: string;
  readonly descriptor: Descriptor;
}

/** The source nodes of a plan, each name once, in plan order. */
export function querySources(query: DeployableQuery): readonly QuerySource[] {
  const found = new Map<string, QuerySource>();
  const visit = (node: LogicalNode): void => {
    if (node.kind === "source") found.set(node.name, { name: node.name, descriptor: node.descriptor });
    for (const input of inputsOf(node)) visit(input);
  };
  visit(query.definition.plan);
  return [...found.values()];
}

function inputsOf(node: LogicalNode): readonly LogicalNode[] {
  if (node.kind === "source" || node.kind === "static") return [];
  if (node.kind === "union") return node.inputs;
  if (node.kind === "join") return [node.left, node.right];
  return [node.input];
}

/** The stream of a Kinesis source; undefined for any other. */
export const streamName = ({ descriptor }: QuerySource): string | undefined =>
  descriptor.kind === "kinesis" ? String(descriptor["stream"]) : undefined;

/** The ids of the operators that keep state, downstream first. */
export function statefulOperators(query: DeployableQuery): readonly string[] {
  const found: string[] = [];
  const visit = (node: LogicalNode): void => {
    if ("operatorId" in node) found.push(node.operatorId);
    for (const input of inputsOf(node)) visit(input);
  };
  visit(query.definition.plan);
  return [...new Set(found)];
}
