import { refusal } from "../refusals.js";
import { inputsOf, isKind, isStreaming } from "../walk.js";
import type { Check } from "./check.js";

const isTableVerb = isKind("static", "project", "filter", "map", "flatMap", "union");

/** What the planner computes once, when the query starts, must be computable without a micro-batch. */
export const checkStatic: Check = (node, { plan }) => {
  if (node === plan && !isStreaming(plan)) return refusal("no-stream");
  if (node.kind === "union" && isStreaming(node) && !inputsOf(node).every(isStreaming)) return refusal("union-static");
  return isStreaming(node) || isTableVerb(node) ? undefined : refusal("static-verb", node.kind);
};
