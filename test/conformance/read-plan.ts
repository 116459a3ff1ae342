import { userError } from "../../lib/errors.js";
import type { JoinType, LogicalNode, OutputMode, SessionSpec, WindowSpec } from "../../lib/plan/logical-plan.js";
import {
  type AggregateInput,
  aggregateNode,
  deduplicateNode,
  filterNode,
  joinNode,
  limitNode,
  makeSession,
  makeWindow,
  type ProjectionInput,
  projectNode,
  sortNode,
  sourceNode,
  statefulNode,
  staticNode,
  unionNode,
  watermarkNode,
} from "../../lib/plan/nodes/nodes.js";
import type { DataType, Schema } from "../../lib/plan/schema.js";
import { parseSessionGap } from "../../lib/time/duration.js";
import type { GoldenInput, GoldenOp, GoldenPlan } from "./golden-case.js";
import { countOnly, type HandlerParams, timeoutSession, timerSession } from "./handlers.js";
import { type GoldenExpression, readExpression, sideIn } from "./read-expression.js";

/** A recorded plan written through the factories that the builder uses; `functions` gets its named handlers. */
export function readPlan(
  plan: GoldenPlan,
  inputs: Readonly<Record<string, GoldenInput>>,
  functions: Record<string, unknown>,
): LogicalNode {
  const input = inputs[plan.from]!;
  const schema = schemaOf(input);
  const start =
    input.static === undefined
      ? sourceNode(plan.from, { kind: "memory" }, schema)
      : staticNode(plan.from, { kind: "dynamodb", table: plan.from }, schema);
  return plan.ops.reduce<LogicalNode>(
    (node, op) => readOp(node, op, (nested) => readPlan(nested, inputs, functions), functions),
    start,
  );
}

export const schemaOf = (input: GoldenInput): Schema => ({
  fields: Object.entries(input.schema).map(([name, type]) => ({ name, type: type as DataType, nullable: true })),
});

const JOIN_TYPES: Readonly<Record<string, JoinType>> = {
  inner: "inner",
  left: "leftOuter",
  right: "rightOuter",
  full: "fullOuter",
  left_semi: "leftSemi",
  left_anti: "leftAnti",
};

type Nested = (plan: GoldenPlan) => LogicalNode;

function readOp(node: LogicalNode, op: GoldenOp, nested: Nested, functions: Record<string, unknown>): LogicalNode {
  switch (op.op) {
    case "withWatermark":
      return watermarkNode(node, op["column"] as string, op["delay"] as string);
    case "select":
      return projectNode(node, (op["columns"] as GoldenProjection[]).map(readProjection));
    case "withColumn":
      return withColumn(node, readProjection({ as: op["as"] as string, expr: op["expr"] as GoldenExpression }));
    case "filter":
      return filterNode(node, readExpression(op["cond"] as GoldenExpression));
    case "groupBy":
      return readGroupBy(node, op);
    case "dropDuplicates":
    case "distinct":
      return deduplicateNode(node, keysOf(op));
    case "dropDuplicatesWithinWatermark":
      return deduplicateNode(node, { ...keysOf(op), withinWatermark: true });
    case "union":
      return unionNode(node, byPosition(nested(op["with"] as GoldenPlan), node.schema));
    case "join":
      return readJoin(node, nested(op["right"] as GoldenPlan), op);
    case "orderBy":
      return sortNode(node, (op["columns"] as GoldenSort[]).map(readSort));
    case "limit":
      return limitNode(node, op["n"] as number);
    case "stateful":
      return readStateful(node, op, functions);
    default:
      throw userError("verb-unknown", `There is no verb '${op.op}'.`, "Leave it out.");
  }
}

type GoldenProjection = string | { readonly as: string; readonly expr: GoldenExpression };
type GoldenSort = string | { readonly column: string; readonly desc?: boolean };

const readProjection = (json: GoldenProjection): ProjectionInput =>
  typeof json === "string"
    ? { name: json, value: readExpression(json) }
    : { name: json.as, value: readExpression(json.expr) };

const readSort = (json: GoldenSort) =>
  typeof json === "string" ? { name: json, descending: false } : { name: json.column, descending: json.desc === true };

const keysOf = (op: GoldenOp) => (op["keys"] === undefined ? {} : { keys: op["keys"] as string[] });

const columnsOf = (node: LogicalNode): ProjectionInput[] =>
  node.schema.fields.map(({ name }) => ({ name, value: { kind: "column", name } }));

function withColumn(node: LogicalNode, added: ProjectionInput): LogicalNode {
  const columns = columnsOf(node);
  const at = columns.findIndex(({ name }) => name === added.name);
  if (at < 0) columns.push(added);
  else columns[at] = added;
  return projectNode(node, columns);
}

/** Spark's union goes by position, ours by name. */
const byPosition = (node: LogicalNode, target: Schema): LogicalNode =>
  projectNode(
    node,
    columnsOf(node).map(({ value }, i) => ({ name: target.fields[i]!.name, value })),
  );

function readGroupBy(node: LogicalNode, op: GoldenOp): LogicalNode {
  const window = op["window"] as GoldenWindow | undefined;
  return aggregateNode(node, {
    ...(window === undefined ? {} : { window: readWindow(window) }),
    keys: (op["keys"] as GoldenProjection[]).map(readProjection),
    aggregates: (op["aggs"] as GoldenAggregate[]).map(readAggregate),
  });
}

interface GoldenWindow {
  readonly kind: "tumbling" | "sliding" | "session";
  readonly column: string;
  readonly size: string;
  readonly slide?: string;
  readonly offset?: string;
  readonly as?: string;
  readonly gap:
    | string
    | {
        readonly cases: readonly { readonly when: GoldenExpression; readonly gap: string | null }[];
        readonly default: string | null;
      };
}

function readWindow(json: GoldenWindow): WindowSpec | SessionSpec {
  if (json.kind !== "session") return makeWindow(json);
  const { gap } = json;
  const spec =
    typeof gap === "string"
      ? readGap(gap)
      : {
          cases: gap.cases.map((one) => ({ when: readExpression(one.when), gap: readGap(one.gap) })),
          otherwise: readGap(gap.default),
        };
  return makeSession(json.column, spec, json.as);
}

/** A gap that does not parse makes Spark ignore every row, so it is NULL here (SEMANTICS D2). */
function readGap(text: string | null): number | null {
  try {
    return text === null ? null : parseSessionGap(text);
  } catch {
    return null;
  }
}

interface GoldenAggregate {
  readonly fn: AggregateInput["fn"];
  readonly column?: GoldenExpression;
  readonly as: string;
  readonly by?: GoldenExpression;
  readonly ignoreNulls?: boolean;
}

const readAggregate = ({ fn, column, as, by, ignoreNulls }: GoldenAggregate): AggregateInput => ({
  as,
  fn,
  ...(column === undefined ? {} : { value: readExpression(column) }),
  ...(by === undefined ? {} : { by: readExpression(by) }),
  ...(ignoreNulls === true ? { ignoreNulls } : {}),
});

function readJoin(left: LogicalNode, right: LogicalNode, op: GoldenOp): LogicalNode {
  const on = op["on"] as GoldenExpression | undefined;
  const using = op["using"] as string[] | undefined;
  return joinNode(left, right, {
    type: JOIN_TYPES[op["how"] as string]!,
    ...(on === undefined ? {} : { on: readExpression(on, sideIn(left.schema, right.schema)) }),
    ...(using === undefined ? {} : { using }),
  });
}

function readStateful(node: LogicalNode, op: GoldenOp, functions: Record<string, unknown>): LogicalNode {
  const handler = op["handler"] as string;
  const params = op["params"] as HandlerParams & { readonly outputMode?: OutputMode };
  const isTimer = handler === "timer-session";
  const id = `${handler}-${Object.keys(functions).length}`;
  functions[id] = handler === "count-only" ? countOnly : isTimer ? timerSession(params) : timeoutSession(params);
  const column = (name: string, type: DataType) => ({ name, type, nullable: true });
  return statefulNode(node, {
    kind: isTimer ? "transformWithState" : "groupsWithState",
    keys: op["keys"] as string[],
    function: id,
    timeMode: handler === "count-only" ? "none" : "eventTime",
    outputMode: params.outputMode ?? "append",
    schema: {
      fields: [
        column("key", "string"),
        column("kind", "string"),
        column("count", "long"),
        ...(isTimer ? [column("expiryMs", "long")] : []),
        column("wm", "long"),
      ],
    },
  });
}
