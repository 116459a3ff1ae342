import { columnNames, fieldOf } from "../data-type.js";
import type { Descriptor, OutputMode } from "../logical-plan.js";
import { refusal } from "../refusals.js";
import type { Check } from "./check.js";

/** Which output modes a sink can hold, by its kind. A kind that is not here takes all: what it does with them is its own affair. */
export const SINK_MODES: Readonly<Record<string, readonly OutputMode[]>> = Object.freeze({
  s3: ["append"],
  kinesis: ["append", "update"],
  dynamodb: ["append", "update", "complete"],
  console: ["append", "update", "complete"],
  memory: ["append", "update", "complete"],
  foreachBatch: ["append", "update", "complete"],
});

const keyOf = ({ key, partitionKey }: Descriptor): readonly unknown[] => [
  ...(Array.isArray(key) ? key : []),
  ...(partitionKey === undefined ? [] : [partitionKey]),
];

const isItemKey = (key: unknown): boolean => Array.isArray(key) && (key.length === 1 || key.length === 2);

export const checkSink: Check = (node, { outputMode, sink, plan }) => {
  if (node !== plan) return undefined;
  const modes = SINK_MODES[sink.kind];
  if (modes !== undefined && !modes.includes(outputMode))
    return refusal("sink-output-mode", `${sink.kind} takes ${modes.join(", ")}, the query has ${outputMode}`);
  if (sink["format"] === "parquet" && (plan.schema.open || plan.schema.fields.length === 0))
    return refusal("sink-open-schema", String(sink["prefix"] ?? sink.kind));
  if (sink.kind === "dynamodb" && !isItemKey(sink["key"]))
    return refusal("sink-key", "the key of a table is one column or two");
  const unknown = keyOf(sink).find((name) => typeof name !== "string" || fieldOf(plan.schema, name) === undefined);
  return unknown === undefined || plan.schema.open
    ? undefined
    : refusal("sink-key", `'${unknown}' is none of ${columnNames(plan.schema).join(", ")}`);
};
