import { nameOf } from "../connectors/catalogue.js";
import type { LogicalNode } from "../logical-plan.js";
import { isImplicitId } from "../operator-id.js";
import { refusal } from "../refusals.js";
import { isStateful, type NodeOf, nodesUpwards } from "../walk.js";
import type { Check } from "./check.js";

const idOf = (node: LogicalNode): string | undefined =>
  isStateful(node) && !isImplicitId(node.operatorId) ? node.operatorId : undefined;

/** Explicit ids only: implicit ones get ordinals. */
export const checkOperatorIds: Check = (node, { plan }) => {
  const id = idOf(node);
  if (id === undefined) return undefined;
  return nodesUpwards(plan).filter((other) => idOf(other) === id).length > 1
    ? refusal("duplicate-operator-id", `'${id}'`)
    : undefined;
};

/**
 * A self join or self union reads one source twice. Two descriptors or schemas under one name would share offsets and a decoder; of two
 * names for one stream the second would get nothing.
 */
export const checkSourceNames: Check = (node, { plan }) => {
  if (node.kind !== "source") return undefined;
  const text = textOf(node);
  const clash = nodesUpwards(plan).some((other) => {
    if (other.kind !== "source") return false;
    return other.name === node.name ? textOf(other) !== text : isSameStream(other, node);
  });
  return clash ? refusal("duplicate-source-name", `'${node.name}'`) : undefined;
};

const textOf = ({ descriptor, schema }: NodeOf<"source">): string => JSON.stringify([descriptor, schema]);

const isSameStream = (a: NodeOf<"source">, b: NodeOf<"source">): boolean =>
  a.descriptor.kind === b.descriptor.kind &&
  nameOf(a.descriptor) !== undefined &&
  nameOf(a.descriptor) === nameOf(b.descriptor);
