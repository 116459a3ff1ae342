import type { AggregateNode, FunctionRef, LogicalNode } from "./logical-plan.js";
import { accumulatorOrigin, originOf } from "./origin.js";
import { inputsOf, nodesUpwards } from "./walk.js";

/** The sources that feed a node, by name, each once. */
export const feedingSources = (node: LogicalNode): readonly string[] =>
  [...new Set(nodesUpwards(node).flatMap((below) => (below.kind === "source" ? [below.name] : [])))].sort();

/**
 * What an operator does and all that feeds it, as text: two operators of one text do the same with the same rows. The order of a
 * union's branches does not show, nor does a watermark's delay. `functions`: how a user function shows; by default they all look alike.
 */
export function feedText(node: LogicalNode, functions: (ref: FunctionRef) => string = () => "function"): string {
  const inputs = inputsOf(node).map((input) => feedText(input, functions));
  if (isSelection(node)) return inputs[0]!;
  if (node.kind === "union") inputs.sort();
  const own = ownText(node, functions);
  return inputs.length === 0 ? own : `${own}(${inputs.join(" + ")})`;
}

/** Columns left out or put in another order, as union does to its second input: the rows say the same. */
const isSelection = (node: LogicalNode): boolean =>
  node.kind === "project" &&
  node.columns.every(({ name, value }) => !("function" in value) && value.kind === "column" && value.name === name);

function ownText(node: LogicalNode, functions: (ref: FunctionRef) => string): string {
  const valueText = (value: Parameters<typeof originOf>[0], input: LogicalNode) =>
    "function" in value ? functions(value) : originOf(value, input);
  switch (node.kind) {
    case "source":
    case "static":
      return `${node.kind} ${node.name}`;
    case "project":
      return `project ${node.columns
        .map(({ name, value }) => `${name} = ${valueText(value, node.input)}`)
        .sort()
        .join(", ")}`;
    case "filter":
      return `filter ${valueText(node.predicate, node.input)}`;
    case "map":
    case "flatMap":
      return `${node.kind} ${functions({ function: node.function })}`;
    case "withWatermark":
      return `withWatermark ${node.column}`;
    case "aggregate": {
      const { window, keys, aggregates, input } = node;
      const keyTexts = keys.map(({ value }) => valueText(value, input));
      const accumulators = aggregates.map((spec) => userText(spec.options, functions) + accumulatorOrigin(spec, input));
      return `aggregate ${windowText(window, functions)} ${keyTexts.join(", ")} ${accumulators.sort().join(", ")}`;
    }
    case "deduplicate":
      return `deduplicate ${node.withinWatermark} ${node.keys.join(", ")}`;
    case "join":
      return `${node.type} join ${originOf(node.on, node)}`;
    case "limit":
      return `limit ${node.n}`;
    case "sort":
      return `sort ${node.columns.map(({ name, descending }) => `${name} ${descending}`).join(", ")}`;
    case "transformWithState":
    case "groupsWithState":
      return `${node.kind} ${node.keys.join(", ")} ${functions({ function: node.function })}`;
    case "union":
      return "union";
  }
}

function windowText(window: AggregateNode["window"], functions: (ref: FunctionRef) => string): string {
  if (
    window?.kind !== "session" ||
    typeof window.gap !== "object" ||
    window.gap === null ||
    !("function" in window.gap)
  )
    return JSON.stringify(window ?? null);
  return JSON.stringify({ ...window, gap: functions(window.gap) });
}

function userText(options: Readonly<Record<string, unknown>> | undefined, functions: (ref: FunctionRef) => string) {
  const id = options?.["function"];
  return typeof id === "string" ? functions({ function: id }) : "";
}
