import type { TidemarkError } from "../../errors.js";
import { SINKS } from "../connectors/catalogue.js";
import type { SinkConnector } from "../connectors/sink-connector.js";
import { columnNames, fieldOf } from "../data-type.js";
import type { LogicalNode, OutputMode } from "../logical-plan.js";
import { refusal } from "../refusals.js";
import type { DataType, Schema } from "../schema.js";
import type { Check } from "./check.js";

/** The output columns that a sink finds a row by. */
function keyOf(sink: SinkConnector): readonly string[] {
  switch (sink.kind) {
    case "dynamodb":
      return sink.key;
    case "delta":
      return [...(sink.key ?? []), ...(sink.partitionBy ?? [])];
    case "kinesis":
      return [sink.partitionKey];
    case "s3":
    case "foreachBatch":
    case "console":
    case "memory":
      return [];
  }
}

/** For those whom no compiler tells. */
const isItemKey = (key: readonly unknown[]): boolean => Array.isArray(key) && (key.length === 1 || key.length === 2);

export const checkSink: Check = (node, { outputMode, sinks, plan }) => {
  if (node !== plan) return undefined;
  for (const sink of sinks) {
    const refused = checkOneSink(sink, outputMode, plan);
    if (refused !== undefined) return refused;
  }
  const places = sinks.map(placeOf);
  const twice = sinks.find((_, at) => places[at] !== null && places.indexOf(places[at]!) !== at);
  return twice === undefined ? undefined : refusal("sink-twice", twice.kind);
};

/** Two sinks of one place would write the same objects, or twice; null: it is no place. */
function placeOf(sink: SinkConnector): string | null {
  switch (sink.kind) {
    case "s3":
      return JSON.stringify([sink.kind, sink.bucket, sink.prefix?.replace(/^\/+|\/+$/g, "") ?? ""]);
    case "delta":
      return JSON.stringify([sink.kind, sink.bucket, sink.path.replace(/^\/+|\/+$/g, "")]);
    case "dynamodb":
      return JSON.stringify([sink.kind, sink.table]);
    case "kinesis":
      return JSON.stringify([sink.kind, sink.stream]);
    case "foreachBatch":
    case "console":
    case "memory":
      return null;
  }
}

function checkOneSink(sink: SinkConnector, outputMode: OutputMode, plan: LogicalNode): TidemarkError | undefined {
  const modes: readonly OutputMode[] = SINKS[sink.kind].outputModes;
  if (!modes.includes(outputMode))
    return refusal("sink-output-mode", `${sink.kind} takes ${modes.join(", ")}, the query has ${outputMode}`);
  if (isParquet(sink) && (plan.schema.open || plan.schema.fields.length === 0))
    return refusal("sink-open-schema", sink.kind);
  if (sink.kind === "delta" && outputMode === "update" && (sink.key ?? []).length === 0)
    return refusal("sink-key", "update mode replaces rows of a Delta table by its option key");
  if (sink.kind === "dynamodb" && !isItemKey(sink.key))
    return refusal("sink-key", "the key of a table is one column or two");
  const unknown = keyOf(sink).find((name) => typeof name !== "string" || fieldOf(plan.schema, name) === undefined);
  if (unknown !== undefined && !plan.schema.open)
    return refusal("sink-key", `'${unknown}' is none of ${columnNames(plan.schema).join(", ")}`);
  const unfit = sink.kind === "delta" ? unfitPartition(sink.partitionBy ?? [], plan.schema) : undefined;
  return unfit === undefined ? undefined : refusal("sink-partition", `'${unfit}'`);
}

const isParquet = (sink: SinkConnector): boolean =>
  sink.kind === "delta" || (sink.kind === "s3" && sink.format === "parquet");

const PARTITION_TYPES: readonly DataType[] = ["string", "long", "int", "boolean"];

function unfitPartition(names: readonly string[], schema: Schema): string | undefined {
  const unfit = names.find((name) => !PARTITION_TYPES.includes(fieldOf(schema, name)!.type));
  return unfit ?? (names.length === schema.fields.length ? names.at(-1) : undefined);
}
