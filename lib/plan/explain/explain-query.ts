import type { LogicalNode, QueryDefinition } from "../logical-plan.js";
import { inputsOf, isStateful, nodesUpwards } from "../walk.js";
import { warningsOf } from "../warnings-of.js";
import { nodeText, schemaText } from "./node-text.js";
import { operatorLines } from "./operator-text.js";

/** A query as text: what it says, what it keeps and for how long, what to beware of. */
export function explainQuery(query: QueryDefinition): string {
  const { queryName, outputMode, plan, sink, watermarkPolicy, lateRule } = query;
  return [
    `Query ${queryName}: ${outputMode} mode to ${sink.kind}, watermark policy ${watermarkPolicy}, late rule ${lateRule}`,
    "",
    "Logical plan",
    ...treeLines(plan, "  "),
    `  result: ${schemaText(plan.schema)}`,
    "",
    "Physical plan, downstream first",
    ...physicalLines(plan, query),
    "",
    "Warnings",
    ...warningLines(query),
  ].join("\n");
}

function treeLines(node: LogicalNode, indent: string): readonly string[] {
  return [`${indent}${nodeText(node)}`, ...inputsOf(node).flatMap((input) => treeLines(input, `${indent}  `))];
}

function physicalLines(plan: LogicalNode, { outputMode }: QueryDefinition): readonly string[] {
  const operators = nodesUpwards(plan)
    .filter(isStateful)
    .filter(({ kind }) => kind !== "limit" || outputMode !== "complete");
  if (operators.length === 0) return ["  stateless: nothing is kept, no row is late, no pass runs without data"];
  return operators.reverse().flatMap((node) => {
    const lines = operatorLines(node, outputMode);
    const width = Math.max(...lines.map(([label]) => label.length));
    return [`  ${node.operatorId}`, ...lines.map(([label, text]) => `    ${label.padEnd(width)}  ${text}`)];
  });
}

function warningLines({ plan, outputMode }: QueryDefinition): readonly string[] {
  const warnings = warningsOf(plan, outputMode);
  if (warnings.length === 0) return ["  none"];
  return warnings.map(({ code, message, remedy }) => `  [${code}] ${message} ${remedy}`);
}
