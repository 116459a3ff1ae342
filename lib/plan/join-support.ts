import type { JoinCondition, Side } from "./join-condition.js";
import type { JoinType, OutputMode } from "./logical-plan.js";
import type { RefusalCode } from "./refusals.js";

/** The side whose rows wait for an answer: to be padded, or to be a match at last. A full outer join needs one of two, as in Spark. */
const WAITING: Readonly<Record<JoinType, readonly Side[]>> = {
  inner: [],
  leftOuter: ["left"],
  leftSemi: ["left"],
  leftAnti: [],
  rightOuter: ["right"],
  fullOuter: ["left", "right"],
};

/** Sides that no watermark ever evicts. */
export const unboundedSides = ({ retentionMs }: JoinCondition): readonly Side[] =>
  (["left", "right"] as const).filter((side) => retentionMs[side] === null);

/**
 * Why two streams cannot be joined so; null: they can. Outer and semi joins whose rows would wait for ever are refused even
 * where Spark accepts them and stays silent (SEMANTICS F12, 0.7).
 */
export function unsupportedJoin(type: JoinType, condition: JoinCondition, outputMode: OutputMode): RefusalCode | null {
  if (type === "leftAnti") return "join-left-anti";
  if (outputMode === "complete") return "join-output-mode";
  if (outputMode === "update" && type !== "inner" && type !== "leftSemi") return "join-output-mode";
  if (condition.keys.length === 0) return "join-without-equality";
  const unbounded = unboundedSides(condition);
  const waiting = WAITING[type];
  return waiting.length > 0 && waiting.every((side) => unbounded.includes(side)) ? "join-never-emits" : null;
}

/** The stream stands on the left; what only its end would settle is refused (SEMANTICS F13). */
export const unsupportedStaticJoin = (type: JoinType): RefusalCode | null =>
  type === "rightOuter" || type === "fullOuter" ? "join-static-side" : null;
