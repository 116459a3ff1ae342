import { typeText } from "./data-type.js";
import type { Expression } from "./expression.js";
import type { AggregateNode, AggregateSpec, FunctionRef, LogicalNode } from "./logical-plan.js";
import type { NodeOf } from "./walk.js";

/**
 * What a value is computed from, as text that is stored: its expression with every column replaced by what defines it, down to
 * columns of a source, a union or a user function. Renames on the way do not show; a name that was given to another column does.
 * Of a user function nothing is known but that it is one.
 */
export function originOf(value: Expression | FunctionRef, input: LogicalNode): string {
  if ("function" in value) return "function";
  switch (value.kind) {
    case "column":
      return [columnOrigin(value, input), ...(value.path ?? [])].join(".");
    case "literal":
      return `${JSON.stringify(typeof value.value === "number" ? String(value.value) : value.value)}: ${typeText(value.type)}`;
    case "interval":
      return `${value.micros} us`;
    case "call": {
      const options = value.options === undefined ? [] : [optionsText(value.options)];
      return `${value.fn}(${[...value.args.map((argument) => originOf(argument, input)), ...options].join(", ")})`;
    }
  }
}

/** An accumulator: its function over the origins of its arguments, with the options that shape it. A user-defined one also by its name. */
export function accumulatorOrigin(spec: AggregateSpec, input: LogicalNode): string {
  const { fn, value, by, ignoreNulls, options, as } = spec;
  const args = [value, by].flatMap((argument) => (argument === undefined ? [] : [originOf(argument, input)]));
  const shape = ["precision", "accuracy"].flatMap((name) =>
    options?.[name] === undefined ? [] : [`${name}=${String(options[name])}`],
  );
  const own = fn === "user" ? [as] : [];
  return `${fn}(${[...args, ...(ignoreNulls === true ? ["ignoreNulls"] : []), ...shape, ...own].join(", ")})`;
}

type ColumnExpression = Extract<Expression, { kind: "column" }>;

function columnOrigin(column: ColumnExpression, node: LogicalNode): string {
  const { name } = column;
  switch (node.kind) {
    case "filter":
    case "limit":
    case "sort":
    case "deduplicate":
    case "withWatermark":
      return columnOrigin(column, node.input);
    case "project": {
      const value = node.columns.find((defined) => defined.name === name)?.value;
      if (value === undefined) return name;
      return "function" in value ? `function ${name}` : originOf(value, node.input);
    }
    case "aggregate":
      return aggregateOrigin(column, node);
    case "join":
      return columnOrigin(column, sideOf(column, node));
    default:
      return name;
  }
}

function aggregateOrigin({ name }: ColumnExpression, { window, keys, aggregates, input }: AggregateNode): string {
  if (window?.as === name) return `window(${columnOrigin({ kind: "column", name: window.column }, input)})`;
  const key = keys.find((defined) => defined.name === name);
  if (key !== undefined) return originOf(key.value, input);
  const spec = aggregates.find(({ as }) => as === name);
  return spec === undefined ? name : accumulatorOrigin(spec, input);
}

/** Names of both sides are told apart, but for the columns that the join is made `using`. */
function sideOf({ name, side }: ColumnExpression, { left, right }: NodeOf<"join">): LogicalNode {
  if (side !== undefined) return side === "left" ? left : right;
  return left.schema.fields.some((field) => field.name === name) ? left : right;
}

const optionsText = (options: Readonly<Record<string, unknown>>): string =>
  Object.entries(options)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");
