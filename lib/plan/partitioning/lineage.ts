import { conditionOf } from "../checks/check-join.js";
import { fieldOf, sameType } from "../data-type.js";
import type { Expression } from "../expression.js";
import type { JoinNode, LogicalNode } from "../logical-plan.js";
import { isFunctionRef } from "../nodes/project-node.js";
import type { DataType } from "../schema.js";
import { inputsOf, isStateful, isStreaming, type NodeOf } from "../walk.js";
import { watermarkedColumns } from "../watermarked-columns.js";
import { type Cut, type CutPoint, hasState } from "./cut.js";

/** Where a column of a node comes from: by input, the column at the cut that holds the same value. */
export interface Lineage {
  readonly type: DataType;
  readonly columns: ReadonlyMap<number, string>;
}

/** The columns of a node that still tell the partition of its rows, by name. */
type Lineages = ReadonlyMap<string, Lineage>;

interface Traced {
  /** Of the result. */
  readonly result: Lineages;
  /** Of every node from the cut up. */
  readonly nodes: readonly Lineages[];
  /** Of every stateful operator: the inputs below it, and its keys. */
  readonly operators: readonly { readonly inputs: readonly number[]; readonly keys: readonly Lineage[] }[];
}

const NONE: Lineages = new Map();

/** Follows columns from the cut to the result, under plain renames (S2). Goes the way in which `cutOf` numbered the inputs. */
export function traceColumns(plan: LogicalNode, { points }: Pick<Cut, "points">): Traced {
  const nodes: Lineages[] = [];
  const operators: Traced["operators"][number][] = [];
  let next = 0;
  const visit = (node: LogicalNode): Lineages => {
    if (!hasState(node)) return atCut(points[next++]!);
    const first = next;
    const below = inputsOf(node).filter(isStreaming).map(visit);
    const inputs = points.slice(first, next).flatMap((point) => point.inputs);
    if (isStateful(node)) operators.push({ inputs, keys: keysOf(node, below) });
    const lineages = columnsAbove(node, below);
    nodes.push(lineages);
    return lineages;
  };
  return { result: visit(plan), nodes, operators };
}

/** Windows and event times tell no partition: rows of one key have many. */
function atCut({ top, inputs }: CutPoint): Lineages {
  const times = new Set(watermarkedColumns(top).map(({ name }) => name));
  return new Map(
    top.schema.fields
      .filter(({ name, type }) => type !== "window" && !times.has(name))
      .map(({ name, type }) => [name, { type, columns: new Map(inputs.map((input) => [input, name])) }]),
  );
}

function columnsAbove(node: LogicalNode, below: readonly Lineages[]): Lineages {
  const input = below[0] ?? NONE;
  switch (node.kind) {
    case "filter":
    case "withWatermark":
    case "deduplicate":
    case "limit":
    case "sort":
      return input;
    case "project":
      return renamed(node.columns, input);
    case "aggregate":
      return renamed(node.keys, input);
    case "union":
      return united(input, below[1]!);
    case "join":
      return isStateful(node) ? afterJoin(node, pairsOf(node, below)) : input;
    default:
      return NONE;
  }
}

function keysOf(node: LogicalNode, below: readonly Lineages[]): readonly Lineage[] {
  switch (node.kind) {
    case "aggregate":
      return [...renamed(node.keys, below[0]!).values()];
    case "deduplicate":
    case "transformWithState":
    case "groupsWithState":
      return node.keys.flatMap((key) => below[0]!.get(key) ?? []);
    case "join":
      return pairsOf(node, below).map(({ lineage }) => lineage);
    default:
      return [];
  }
}

/** A plain column under its new name; expressions do not count. */
function renamed(columns: NodeOf<"project">["columns"], input: Lineages): Lineages {
  const kept = new Map<string, Lineage>();
  for (const { name, value } of columns) {
    const column = isFunctionRef(value) ? null : plainColumn(value);
    const lineage = column === null ? undefined : input.get(column);
    if (lineage !== undefined) kept.set(name, lineage);
  }
  return kept;
}

function united(left: Lineages, right: Lineages): Lineages {
  const both = new Map<string, Lineage>();
  for (const [name, lineage] of left) {
    const other = right.get(name);
    if (other !== undefined && sameType(lineage.type, other.type)) both.set(name, merged(lineage, other));
  }
  return both;
}

interface JoinedPair {
  readonly left: string;
  readonly right: string;
  readonly lineage: Lineage;
}

/** Pairs of equal plain columns of one type. */
function pairsOf(node: JoinNode, below: readonly Lineages[]): readonly JoinedPair[] {
  return conditionOf(node).keys.flatMap((key): readonly JoinedPair[] => {
    const [left, right] = [plainColumn(key.left), plainColumn(key.right)];
    const a = left === null ? undefined : below[0]!.get(left);
    const b = right === null ? undefined : below[1]!.get(right);
    if (a === undefined || b === undefined || !sameType(a.type, b.type)) return [];
    return [{ left: left!, right: right!, lineage: merged(a, b) }];
  });
}

/** A padded row has NULL on the side without a match, in every partition: only a preserved side's column goes on [CS22]. */
function afterJoin({ type, using = [], schema }: JoinNode, pairs: readonly JoinedPair[]): Lineages {
  const leftGoesOn = type === "inner" || type === "leftOuter" || type === "leftSemi";
  const rightGoesOn = type === "inner" || type === "rightOuter";
  const after = new Map<string, Lineage>();
  for (const { left, right, lineage } of pairs) {
    // A `using` column stands once, and is the preserved side's.
    const one = left === right && using.includes(left);
    if (leftGoesOn && fieldOf(schema, left) !== undefined) after.set(left, lineage);
    if (rightGoesOn && (one || left !== right) && fieldOf(schema, right) !== undefined) after.set(right, lineage);
  }
  return after;
}

const merged = (a: Lineage, b: Lineage): Lineage => ({ type: a.type, columns: new Map([...a.columns, ...b.columns]) });

const plainColumn = (expression: Expression): string | null =>
  expression.kind === "column" && (expression.path ?? []).length === 0 ? expression.name : null;
