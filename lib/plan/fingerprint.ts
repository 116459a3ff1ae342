import { userError } from "../errors.js";
import { conditionOf } from "./checks/check-join.js";
import { typeText } from "./data-type.js";
import type { Expression } from "./expression.js";
import type { AggregateSpec, LogicalNode, OutputMode, QueryDefinition } from "./logical-plan.js";
import { resolveExpression } from "./resolve.js";
import type { Schema } from "./schema.js";
import { visitColumns } from "./visit-expression.js";
import { inputsOf, keepsState, type NodeOf, nodesUpwards, type StatefulPlanNode } from "./walk.js";

/** What of a query its stored state depends on (DATA.md section 6); kept in `meta`, plain JSON. Window sizes, delays, sinks and user functions are outside. */
export interface Fingerprint {
  readonly version: 1;
  readonly outputMode: OutputMode;
  readonly operators: readonly OperatorFingerprint[];
}

interface OperatorFingerprint {
  readonly id: string;
  readonly kind: string;
  /** Types of the key columns, in order. */
  readonly keys: readonly string[];
  /** What a state row holds. */
  readonly value: readonly string[];
  /** The state variables of a processor, as `list seen with ttl`; absent: not known. */
  readonly variables?: readonly string[];
}

/** By operator id, the state variables that processors have asked for: only a planned query knows them. */
export type StateVariables = ReadonlyMap<string, readonly string[]>;

export function fingerprintOf(
  { plan, outputMode }: Pick<QueryDefinition, "plan" | "outputMode">,
  variables: StateVariables = new Map(),
): Fingerprint {
  const operators = nodesUpwards(plan)
    .filter((node) => keepsState(node, outputMode))
    .map((node) => {
      const declared = variables.get(node.operatorId);
      const known = declared === undefined ? {} : { variables: Object.freeze([...declared].sort()) };
      return Object.freeze({ id: node.operatorId, ...stateOf(node), ...known });
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return Object.freeze({ version: 1, outputMode, operators: Object.freeze(operators) });
}

function stateOf(node: StatefulPlanNode): Omit<OperatorFingerprint, "id"> {
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

/**
 * Whether a changed query may go on with the stored state (SEMANTICS I5); new operators start empty.
 * @throws `state-key-schema-changed`, `state-value-schema-changed`, `output-mode-changed`, `state-format-unknown`
 */
export function checkCompatible(stored: Fingerprint, current: Fingerprint): void {
  if (stored.version !== 1) {
    throw userError(
      "state-format-unknown",
      `The stored fingerprint has version ${String(stored.version)}.`,
      "Deploy a version of Tidemark that is at least as new as the one that wrote it.",
    );
  }
  if (stored.outputMode !== current.outputMode) {
    throw changed("output-mode-changed", "The output mode changed", stored.outputMode, current.outputMode);
  }
  const now = new Map(current.operators.map((operator) => [operator.id, operator]));
  for (const old of stored.operators) {
    const same = now.get(old.id);
    if (same === undefined) throw gone(old, current);
    if (old.kind !== same.kind || !equal(old.keys, same.keys)) {
      throw changed("state-key-schema-changed", `The keys of ${old.id} changed`, keysText(old), keysText(same));
    }
    if (!equal(old.value, same.value)) {
      throw changed(
        "state-value-schema-changed",
        `The state rows of ${old.id} changed`,
        old.value.join("; "),
        same.value.join("; "),
      );
    }
    // Those asked for anew start empty.
    const lost = old.variables?.filter((variable) => same.variables?.includes(variable) === false) ?? [];
    if (lost.length > 0) {
      const what = `The state variables of ${old.id} changed`;
      throw changed("state-value-schema-changed", what, lost.join("; "), same.variables!.join("; "));
    }
  }
}

/** Its keys changed, or it was taken out: Spark, which knows operators by position, says "key schema" either way. */
const gone = (old: OperatorFingerprint, current: Fingerprint) =>
  changed(
    "state-key-schema-changed",
    `The operator ${old.id} is no longer in the query`,
    keysText(old),
    current.operators.map((operator) => `${operator.id} ${keysText(operator)}`).join("; ") || "no stateful operator",
  );

const keysText = ({ kind, keys }: OperatorFingerprint): string => `${kind}(${keys.join(", ")})`;

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i]);

const changed = (code: string, what: string, old: string, current: string) =>
  userError(
    code,
    `${what}: stored ${old || "nothing"}, now ${current || "nothing"}.`,
    "Take the change back, or give the query a new name, or start a new incarnation, which begins with empty state.",
  );
