import type { TidemarkError } from "../errors.js";
import type { Check, CheckContext } from "./checks/check.js";
import { checkAggregate } from "./checks/check-aggregate.js";
import { checkNeedsWatermark, checkOneEventTime, checkWatermarkRedefined } from "./checks/check-event-time.js";
import { checkJoin } from "./checks/check-join.js";
import { checkKafka } from "./checks/check-kafka.js";
import { checkOperatorIds, checkSourceNames } from "./checks/check-names.js";
import { checkChain, checkComplete, checkLimit, checkSort, checkStatefulMode } from "./checks/check-output-mode.js";
import { checkPartitions } from "./checks/check-partitions.js";
import { checkSink } from "./checks/check-sink.js";
import { checkStatic } from "./checks/check-static.js";
import { nodesUpwards } from "./walk.js";

/** The order in which a query's refusals are told: what Spark says first comes first. */
const CHECKS: readonly Check[] = [
  checkStatic,
  checkComplete,
  checkChain,
  checkAggregate,
  checkStatefulMode,
  checkJoin,
  checkSort,
  checkLimit,
  checkNeedsWatermark,
  checkWatermarkRedefined,
  checkOneEventTime,
  checkSink,
  checkPartitions,
  checkSourceNames,
  checkKafka,
  checkOperatorIds,
];

/** Every reason not to run this query; empty: it is supported (SEMANTICS, and docs/refusals.md for the whole table). */
export function refusalsOf(context: CheckContext): readonly TidemarkError[] {
  const nodes = nodesUpwards(context.plan);
  return CHECKS.flatMap((check) => nodes.flatMap((node) => check(node, context) ?? []));
}

/** @throws the first refusal */
export function checkSupported(context: CheckContext): void {
  const [first] = refusalsOf(context);
  if (first !== undefined) throw first;
}
