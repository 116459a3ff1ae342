import { sinksOf } from "../connectors/catalogue.js";
import type { LogicalNode, QueryDefinition } from "../logical-plan.js";
import { nodesAfterCut } from "../partitioning/cut.js";
import { partitioningOf } from "../partitioning/partitioning-of.js";
import { inputsOf, isStateful, nodesUpwards } from "../walk.js";
import { warningsOf } from "../warnings-of.js";
import { nodeText, schemaText } from "./node-text.js";
import { operatorLines } from "./operator-text.js";

/** A query as text: what it says, what it keeps and for how long, what to beware of. */
export function explainQuery(query: QueryDefinition): string {
  const { queryName, outputMode, plan, watermarkPolicy, lateRule } = query;
  return [
    `Query ${queryName}: ${outputMode} mode to ${sinksOf(query)
      .map(({ kind }) => kind)
      .join(" and ")}, watermark policy ${watermarkPolicy}, late rule ${lateRule}`,
    "",
    "Logical plan",
    ...treeLines(plan, "  "),
    `  result: ${schemaText(plan.schema)}`,
    "",
    "Physical plan, downstream first",
    ...physicalLines(plan, query),
    ...stageLines(query),
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

/** Of a query with several state partitions: what runs where, and what tells a row's partition. */
function stageLines({ plan, options }: QueryDefinition): readonly string[] {
  const partitioning = partitioningOf(plan, options);
  if (partitioning === null) return [];
  const { count, columns, cut } = partitioning;
  const spread = columns.map(({ columns: names }) => [...new Set(names)].join(" = ")).join(", ");
  return [
    "",
    `Stages, ${count} state partitions`,
    "  shuffle stage, one ring per source shard",
    ...cut.points.map(({ top, inputs }) => {
      const sources = inputs.map((input) => cut.sources[input]!.name).join(", ");
      return `    ${sources}: up to ${nodeText(top)}`;
    }),
    `    rows are spread by ${spread}, through a Kinesis stream of the query's own`,
    "  state stage, one log per partition",
    ...nodesAfterCut(plan)
      .filter(isStateful)
      .map(({ operatorId }) => `    ${operatorId}`),
  ];
}

function warningLines({ plan, outputMode, watermarkPolicy }: QueryDefinition): readonly string[] {
  const warnings = warningsOf(plan, outputMode, watermarkPolicy);
  if (warnings.length === 0) return ["  none"];
  return warnings.map(({ code, message, remedy }) => `  [${code}] ${message} ${remedy}`);
}
