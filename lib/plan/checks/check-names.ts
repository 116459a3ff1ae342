import type { LogicalNode } from "../logical-plan.js";
import { isImplicitId } from "../operator-id.js";
import { refusal } from "../refusals.js";
import { isStateful, nodesUpwards } from "../walk.js";
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

/** A self join or self union reads one source twice; two descriptors under one name would share offsets. */
export const checkSourceNames: Check = (node, { plan }) => {
  if (node.kind !== "source") return undefined;
  const text = JSON.stringify(node.descriptor);
  const clash = nodesUpwards(plan).some(
    (other) => other.kind === "source" && other.name === node.name && JSON.stringify(other.descriptor) !== text,
  );
  return clash ? refusal("duplicate-source-name", `'${node.name}'`) : undefined;
};
