import { conditionOf } from "./checks/check-join.js";
import { nameOf } from "./connectors/catalogue.js";
import { typeText } from "./data-type.js";
import type { Expression } from "./expression.js";
import type { AggregateSpec, LogicalNode, OutputMode, QueryDefinition, QueryOptions } from "./logical-plan.js";
import { feedingSources, feedText } from "./operator-feed.js";
import { hashOf } from "./operator-id.js";
import { accumulatorOrigin, originOf } from "./origin.js";
import type { Cut } from "./partitioning/cut.js";
import { partitioningOf } from "./partitioning/partitioning-of.js";
import { resolveExpression } from "./resolve.js";
import type { Schema } from "./schema.js";
import { visitColumns } from "./visit-expression.js";
import { inputsOf, keepsState, type NodeOf, nodesUpwards, type StatefulPlanNode } from "./walk.js";

/**
 * What of a query its stored state depends on (DATA.md section 6); kept in `meta`, plain JSON. Window sizes, delays, sinks and user functions
 * are outside. Version 1 knew neither the sources nor, of its operators, what feeds them and what keys and accumulators are computed from.
 */
export interface Fingerprint {
  readonly version: 1 | 2;
  readonly outputMode: OutputMode;
  readonly operators: readonly OperatorFingerprint[];
  readonly sources?: readonly SourceFingerprint[];
  /** Absent: one partition. */
  readonly partitioning?: PartitioningFingerprint;
}

/** What decides in which partition a row's state is (docs/design/partitions.md S3). */
interface PartitioningFingerprint {
  readonly count: number;
  readonly seed: number;
  /** Of each column its name per input, and its type. */
  readonly columns: readonly string[];
  /**
   * Of sources that are read more than once, where each reading leads, in the plan's order: rows in the stream between the stages know
   * their reading by its number only. Absent: every source is read once.
   */
  readonly readings?: readonly string[];
}

export interface SourceFingerprint {
  readonly name: string;
  readonly kind: string;
  /** The stream or topic; absent where there is none. */
  readonly place?: string;
}

export interface OperatorFingerprint {
  readonly id: string;
  readonly kind: string;
  /** Types of the key columns, in order. */
  readonly keys: readonly string[];
  /** What a state row holds. */
  readonly value: readonly string[];
  /** The state variables of a processor, as `list seen with ttl`; absent: not known. */
  readonly variables?: readonly string[];
  /** The sources that feed it. */
  readonly from?: readonly string[];
  /** Hash of all that feeds it (`operator-feed`): tells it from others of its kind, keys and sources. */
  readonly feed?: string;
  /** What the key columns, the window's time included, are computed from (`origin`). */
  readonly keyedBy?: readonly string[];
  /** What each accumulator of a state row computes, in the order of the row. */
  readonly accumulators?: readonly string[];
}

/** By operator id, the state variables that processors have asked for: only a planned query knows them. */
export type StateVariables = ReadonlyMap<string, readonly string[]>;

export function fingerprintOf(
  {
    plan,
    outputMode,
    options,
  }: Pick<QueryDefinition, "plan" | "outputMode"> & Partial<Pick<QueryDefinition, "options">>,
  variables: StateVariables = new Map(),
): Fingerprint {
  const operators = nodesUpwards(plan)
    .filter((node) => keepsState(node, outputMode))
    .map((node) => {
      const declared = variables.get(node.operatorId);
      const known = declared === undefined ? {} : { variables: Object.freeze([...declared].sort()) };
      return Object.freeze({ id: node.operatorId, ...stateOf(node), ...identityOf(node), ...known });
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const spread = partitioningText(plan, options);
  return Object.freeze({
    version: 2,
    outputMode,
    operators: Object.freeze(operators),
    sources: Object.freeze(sourcesOf(plan)),
    ...(spread === null ? {} : { partitioning: spread }),
  });
}

function partitioningText(plan: LogicalNode, options: QueryOptions | undefined): PartitioningFingerprint | null {
  const partitioning = options === undefined ? null : partitioningOf(plan, options);
  if (partitioning === null) return null;
  const columns = partitioning.columns.map(({ columns: names, type }) => `${names.join(" = ")}: ${typeText(type)}`);
  const readings = readingsOf(partitioning.cut);
  return Object.freeze({
    count: partitioning.count,
    seed: partitioning.seed,
    columns: Object.freeze(columns),
    ...(readings.length === 0 ? {} : { readings: Object.freeze(readings) }),
  });
}

function readingsOf({ points, sources }: Cut): readonly string[] {
  const isReadAgain = (input: number) => sources.filter(({ name }) => name === sources[input]!.name).length > 1;
  return points.flatMap(({ top, operator, inputs }) =>
    inputs
      .filter(isReadAgain)
      .map((input) => `${sources[input]!.name} to ${operator.operatorId} as ${hashOf(feedText(top))}`),
  );
}

function sourcesOf(plan: LogicalNode): readonly SourceFingerprint[] {
  const sources = new Map<string, SourceFingerprint>();
  for (const node of nodesUpwards(plan)) {
    if (node.kind !== "source") continue;
    const { kind } = node.descriptor;
    const place = nameOf(node.descriptor);
    sources.set(node.name, Object.freeze({ name: node.name, kind, ...(place === undefined ? {} : { place }) }));
  }
  return [...sources.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What tells an operator from others of its kind, and its keys and accumulators from others of their types. */
function identityOf(node: StatefulPlanNode) {
  const accumulators =
    node.kind === "aggregate"
      ? { accumulators: node.aggregates.map((spec) => accumulatorOrigin(spec, node.input)) }
      : {};
  return { from: feedingSources(node), feed: hashOf(feedText(node)), keyedBy: keyOrigins(node), ...accumulators };
}

function keyOrigins(node: StatefulPlanNode): readonly string[] {
  const ofColumn = (name: string) => originOf({ kind: "column", name }, (node as NodeOf<"deduplicate">).input);
  switch (node.kind) {
    case "aggregate": {
      const window = node.window === undefined ? [] : [ofColumn(node.window.column)];
      return [...window, ...node.keys.map(({ value }) => originOf(value, node.input))];
    }
    case "join":
      return conditionOf(node).keys.map(
        ({ left, right }) => `${originOf(left, node.left)} = ${originOf(right, node.right)}`,
      );
    case "limit":
      return [];
    default:
      return node.keys.map(ofColumn);
  }
}

/** What version 1 knew of an operator: its kind, and the types of its keys and of what a state row holds. */
export function stateOf(node: StatefulPlanNode): Pick<OperatorFingerprint, "kind" | "keys" | "value"> {
  switch (node.kind) {
    case "aggregate":
      return {
        kind: node.window?.kind === "session" ? "session" : "aggregate",
        keys: [...(node.window === undefined ? [] : ["window"]), ...node.keys.map(({ type }) => typeText(type))],
        value: node.aggregates.map((aggregate) => aggregateState(aggregate, node.input)),
      };
    case "deduplicate":
      return {
        kind: node.withinWatermark ? "dedupeWithinWatermark" : "dedupe",
        keys: node.keys.map((key) => columnType(node.input.schema, key)),
        value: [],
      };
    case "join":
      return {
        kind: `${node.type} join`,
        keys: joinKeys(node),
        value: inputsOf(node).map(({ schema }) => schemaText(schema)),
      };
    case "limit":
      return { kind: "limit", keys: [], value: ["bigint"] };
    case "transformWithState":
    case "groupsWithState":
      return {
        kind: `${node.kind} ${node.timeMode}`,
        keys: node.keys.map((key) => columnType(node.input.schema, key)),
        value: [],
      };
  }
}

/** What a row is found by: the columns that are compared, and as what. A name alone would not tell `a = b` from `a < b`. */
const joinKeys = (node: NodeOf<"join">): readonly string[] =>
  conditionOf(node).keys.map(({ left, right, type }) => `${columnsOf(left)} = ${columnsOf(right)}: ${typeText(type)}`);

function columnsOf(expression: Expression): string {
  const names: string[] = [];
  visitColumns(expression, ({ name, path }) => names.push([name, ...(path ?? [])].join(".")));
  return names.join(", ");
}

/** Accumulators depend on the function, its argument's type and the options that shape a sketch. */
function aggregateState({ fn, value, by, options, type }: AggregateSpec, input: LogicalNode): string {
  const args = [value, by].flatMap((argument) =>
    argument === undefined ? [] : [typeText(resolveExpression(argument, input.schema).type)],
  );
  const shape = ["precision", "accuracy"].flatMap((name) =>
    options?.[name] === undefined ? [] : [`${name}=${String(options[name])}`],
  );
  return `${fn}(${[...args, ...shape].join(", ")}): ${typeText(type)}`;
}

const columnType = (schema: Schema, name: string): string =>
  typeText(schema.fields.find((field) => field.name === name)?.type ?? "json");

const schemaText = (schema: Schema): string =>
  schema.fields.map(({ name, type }) => `${name}: ${typeText(type)}`).join(", ") + (schema.open ? ", …" : "");
