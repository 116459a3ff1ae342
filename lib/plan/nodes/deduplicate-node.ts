import { columnNames } from "../data-type.js";
import type { DeduplicateNode, LogicalNode } from "../logical-plan.js";
import { operatorId } from "../operator-id.js";
import { requireClosed } from "../require-closed.js";
import { requireField } from "../resolve.js";

export interface DeduplicateInput {
  /** All columns by default. */
  readonly keys?: readonly string[];
  readonly withinWatermark?: boolean;
  readonly operatorId?: string;
}

/** @throws `unknown-column`, `open-columns` */
export function deduplicateNode(input: LogicalNode, options: DeduplicateInput = {}): DeduplicateNode {
  const all = options.keys === undefined || options.keys.length === 0;
  if (all) requireClosed(input.schema, "dropDuplicates() without keys");
  const keys = all ? columnNames(input.schema) : options.keys;
  for (const key of keys) requireField(input.schema, key);
  const withinWatermark = options.withinWatermark ?? false;
  return Object.freeze({
    kind: "deduplicate",
    input,
    operatorId: operatorId(options.operatorId, withinWatermark ? "dedupeWithinWatermark" : "dedupe", keys),
    keys: Object.freeze([...keys]),
    withinWatermark,
    schema: input.schema,
  });
}
