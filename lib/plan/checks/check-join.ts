import { analyseJoin, type JoinCondition } from "../join-condition.js";
import { unsupportedJoin, unsupportedStaticJoin } from "../join-support.js";
import { refusal } from "../refusals.js";
import { isStreaming, type NodeOf } from "../walk.js";
import { watermarkedColumn } from "../watermarked-columns.js";
import type { Check } from "./check.js";

/** The join's condition as the planner will take it apart. */
export const conditionOf = ({ type, on, left, right }: NodeOf<"join">): JoinCondition =>
  analyseJoin(
    type,
    on,
    { schema: left.schema, eventTime: watermarkedColumn(left) },
    { schema: right.schema, eventTime: watermarkedColumn(right) },
  );

/** SEMANTICS F12, F13. Two tables are check-static's affair. */
export const checkJoin: Check = (node, { outputMode }) => {
  if (node.kind !== "join") return undefined;
  const [left, right] = [isStreaming(node.left), isStreaming(node.right)];
  if (!left && !right) return undefined;
  const code = unsupported(node, left, right, outputMode);
  return code === null ? undefined : refusal(code, `${node.type} join ${node.operatorId}`);
};

function unsupported(
  node: NodeOf<"join">,
  left: boolean,
  right: boolean,
  outputMode: Parameters<typeof unsupportedJoin>[2],
) {
  if (left && right) return unsupportedJoin(node.type, conditionOf(node), outputMode);
  if (left) return unsupportedStaticJoin(node.type);
  return node.type === "inner" ? null : "join-static-side";
}
