import { durationText } from "../../time/duration-text.js";
import { typeText } from "../data-type.js";
import type { AggregateSpec, LogicalNode, Projection, SessionSpec, WindowSpec } from "../logical-plan.js";
import { isFunctionRef } from "../nodes/project-node.js";
import type { Schema } from "../schema.js";
import { expressionText } from "./expression-text.js";

/** What one node does, on one line. */
export function nodeText(node: LogicalNode): string {
  switch (node.kind) {
    case "source":
    case "static":
      return `${node.kind} ${node.name} (${node.descriptor.kind}): ${schemaText(node.schema)}`;
    case "project":
      return `select ${node.columns.map(projectionText).join(", ")}`;
    case "filter":
      return `filter ${expressionText(node.predicate)}`;
    case "map":
    case "flatMap":
      return `${node.kind} function ${node.function}${carries(node.eventTime)}`;
    case "withWatermark":
      return `withWatermark ${node.column}, delay threshold ${durationText(node.delayMs * 1000)}`;
    case "aggregate":
      return `groupBy ${groupingText(node.window, node.keys)} agg ${node.aggregates.map(aggregateText).join(", ")}`;
    case "deduplicate":
      return `dropDuplicates${node.withinWatermark ? "WithinWatermark" : ""} ${node.keys.join(", ")}`;
    case "union":
      return "union";
    case "join":
      return `${node.type} join on ${expressionText(node.on)}`;
    case "limit":
      return `limit ${node.n}`;
    case "sort":
      return `orderBy ${node.columns.map(({ name, descending }) => (descending ? `${name} descending` : name)).join(", ")}`;
    case "transformWithState":
    case "groupsWithState":
      return `${node.kind} by ${node.keys.join(", ")}, function ${node.function}, time mode ${node.timeMode}${carries(node.eventTime)}`;
  }
}

const carries = (eventTime: string | undefined): string => (eventTime === undefined ? "" : `, event time ${eventTime}`);

export const schemaText = (schema: Schema): string =>
  [...schema.fields.map(({ name, type }) => `${name} ${typeText(type)}`), ...(schema.open ? ["…"] : [])].join(", ");

const projectionText = ({ name, value }: Projection): string =>
  !isFunctionRef(value) && value.kind === "column" && value.name === name && value.path === undefined
    ? name
    : `${name} = ${expressionText(value)}`;

const groupingText = (window: WindowSpec | SessionSpec | undefined, keys: readonly Projection[]): string =>
  [...(window === undefined ? [] : [windowText(window)]), ...keys.map(projectionText)].join(", ") || "nothing";

function windowText(window: WindowSpec | SessionSpec): string {
  const { as, column } = window;
  if (window.kind === "session") {
    return `${as} = session(${column}, gap ${typeof window.gap === "number" ? durationText(window.gap) : "by row"})`;
  }
  const slide = window.slide === window.size ? "" : `, slide ${durationText(window.slide)}`;
  const offset = window.offset === 0 ? "" : `, offset ${durationText(window.offset)}`;
  return `${as} = window(${column}, ${sizeText(window)}${slide}${offset})`;
}

function sizeText({ size, calendar }: WindowSpec): string {
  if (calendar === undefined) return durationText(size);
  const { count, unit, timeZone } = calendar;
  return `${count} ${unit}${count === 1 ? "" : "s"} in ${timeZone}`;
}

const aggregateText = ({ as, fn, value, by }: AggregateSpec): string =>
  `${as} = ${fn}(${[value, by].flatMap((argument) => (argument === undefined ? [] : [expressionText(argument)])).join(", ")})`;
