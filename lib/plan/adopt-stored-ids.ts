import { userError } from "../errors.js";
import { type Fingerprint, type OperatorFingerprint, stateOf } from "./fingerprint.js";
import type { AggregateNode, LogicalNode } from "./logical-plan.js";
import { mapOperators } from "./map-operators.js";
import { feedingSources, feedText } from "./operator-feed.js";
import { baseOf, formerId, hashOf, isImplicitId } from "./operator-id.js";
import { accumulatorOrigin } from "./origin.js";
import { isStateful, nodesBelow, nodesUpwards, type StatefulPlanNode } from "./walk.js";

/**
 * The plan with the ids and the order of accumulators that its checkpoint knows, so that each operator finds its own state however the
 * query was rearranged. An unnamed operator is found by kind and keys, then by its sources; where that leaves several, by all that feeds it.
 * @throws `stored-operators-alike` where the stored state may belong to more than one
 */
export function adoptStoredIds(plan: LogicalNode, stored: Fingerprint): LogicalNode {
  const nodes = nodesUpwards(plan).filter(isStateful);
  const known = new Map(stored.operators.map((operator) => [operator.id, operator]));
  const unnamed = nodes.filter(({ operatorId }) => isImplicitId(operatorId));
  const taken = new Map(nodes.map(({ operatorId: id }) => [id, known.has(id) || isImplicitId(id) ? id : formerId(id)]));
  const named = nodes.filter((node) => !unnamed.includes(node)).map(({ operatorId }) => taken.get(operatorId));
  const left = stored.operators.filter(({ id }) => id.includes(":") && !named.includes(id));
  for (const [base, old] of grouped(left, ({ id }) => baseOf(id))) {
    const current = unnamed.filter(({ operatorId }) => baseOf(operatorId) === base);
    for (const [{ id }, node] of matched(old, current)) taken.set(node.operatorId, id);
  }
  const ids = [...taken.values()];
  if (new Set(ids).size < ids.length) throw unclear(left);
  return mapOperators(plan, (node) => {
    const id = taken.get(node.operatorId)!;
    const renamed = id === node.operatorId ? node : Object.freeze({ ...node, operatorId: id });
    return renamed.kind === "aggregate" ? inStoredOrder(renamed, known.get(id)) : renamed;
  });
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

type Pair = readonly [OperatorFingerprint, StatefulPlanNode];

/** Operators of one kind and keys, stored and current. Stored ones without a partner are gone, current ones are new. */
function matched(old: readonly OperatorFingerprint[], current: readonly StatefulPlanNode[]): readonly Pair[] {
  if (old.some(({ from }) => from === undefined)) return matchedByOrder(old, current);
  const [only] = old;
  const [single] = current;
  if (old.length === 1 && current.length === 1) {
    const sources = feedingSources(single!);
    return only!.from!.every((name) => sources.includes(name)) ? [[only!, single!]] : [];
  }
  const bySources = grouped(old, ({ from }) => from!.join());
  return [...bySources].flatMap(([sources, some]) =>
    matchedByFeed(
      some,
      current.filter((node) => feedingSources(node).join() === sources),
    ),
  );
}

function matchedByFeed(old: readonly OperatorFingerprint[], current: readonly StatefulPlanNode[]): readonly Pair[] {
  if (old.length === 1 && current.length === 1) return [[old[0]!, current[0]!]];
  const free = new Set(current);
  const pairs: Pair[] = [];
  for (const operator of old) {
    const same = [...free].find((node) => hashOf(feedText(node)) === operator.feed);
    if (same === undefined) continue;
    free.delete(same);
    pairs.push([operator, same]);
  }
  if (pairs.length < old.length && free.size > 0) throw unclear(old);
  return pairs;
}

/**
 * A former version knew no sources and told equals apart by their order. It is followed where the order cannot have been another: in a chain,
 * where each feeds the next, and among copies; otherwise what a state row holds must tell them apart.
 */
function matchedByOrder(old: readonly OperatorFingerprint[], current: readonly StatefulPlanNode[]): readonly Pair[] {
  const inOrder = [...old].sort((a, b) => ordinalOf(a.id) - ordinalOf(b.id));
  const isChain = current.every((node, at) => at === 0 || nodesBelow(node).some((below) => below === current[at - 1]));
  const areCopies = new Set(current.map((node) => feedText(node))).size === 1;
  if (old.length === current.length && (isChain || areCopies))
    return inOrder.map((operator, at) => [operator, current[at]!]);
  const pairs = old.flatMap((operator): Pair[] => {
    const alike = current.filter((node) => holdsTheSame(operator, node));
    return alike.length === 1 ? [[operator, alike[0]!]] : [];
  });
  if (pairs.length === old.length && new Set(pairs.map(([, node]) => node)).size === pairs.length) return pairs;
  if (current.length === 0) return [];
  throw unclear(old);
}

const ordinalOf = (id: string): number => Number(/-(\d+)$/.exec(id)?.[1] ?? 1);

function holdsTheSame(operator: OperatorFingerprint, node: StatefulPlanNode): boolean {
  const { kind, keys, value } = stateOf(node);
  return JSON.stringify([kind, keys, value]) === JSON.stringify([operator.kind, operator.keys, operator.value]);
}

/** Accumulators belong to what they compute: a state row keeps their order, whatever the order in which they are asked for now. */
function inStoredOrder(node: AggregateNode, stored: OperatorFingerprint | undefined): AggregateNode {
  if (stored?.accumulators === undefined) return node;
  const free = [...node.aggregates];
  const ordered = stored.accumulators.flatMap((origin) => {
    const at = free.findIndex((spec) => accumulatorOrigin(spec, node.input) === origin);
    return at < 0 ? [] : free.splice(at, 1);
  });
  if (free.length > 0) return node;
  return ordered.every((spec, at) => spec === node.aggregates[at])
    ? node
    : Object.freeze({ ...node, aggregates: Object.freeze(ordered) });
}

function unclear(old: readonly OperatorFingerprint[]) {
  const ids = old.map(({ id, from }) => `${id}${from === undefined ? "" : ` (fed by ${from.join(", ")})`}`).join(", ");
  const byOrder = old.some(({ from }) => from === undefined);
  const names = old.map(({ id }) => `"${baseOf(id)}#${ordinalOf(id)}"`).join(" and ");
  return userError(
    "stored-operators-alike",
    byOrder
      ? `The checkpoint was written by a version that told equal operators apart by their order: ${ids}.`
      : `The stored state of ${ids} may belong to more than one operator of the changed query.`,
    byOrder
      ? `Give them, in the order in which they stood (left before right), the ids ${names}, as in agg({ … }, { id: ${names.split(" ")[0]} }); they go on with their state.`
      : "Change one branch at a time, and give a new one an { id }; or give the query a new queryName.",
  );
}
