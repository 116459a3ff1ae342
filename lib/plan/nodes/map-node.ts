import type { LogicalNode, MapNode } from "../logical-plan.js";
import { makeSchema } from "../make-schema.js";
import { requireEventTimeType } from "../require-event-time.js";
import { requireField } from "../resolve.js";
import type { Schema } from "../schema.js";

export interface MapInput {
  readonly kind: "map" | "flatMap";
  /** Id in `QueryDefinition.functions`. */
  readonly function: string;
  /** Of the rows that the function returns. */
  readonly schema: Schema;
  /** The output column that carries the input's event time on; without it the watermark ends here. */
  readonly eventTime?: string;
}

export function mapNode(input: LogicalNode, map: MapInput): MapNode {
  const schema = makeSchema(map.schema.fields, map.schema.open === true);
  if (map.eventTime !== undefined) requireEventTimeType(requireField(schema, map.eventTime));
  return Object.freeze({
    kind: map.kind,
    input,
    function: map.function,
    schema,
    ...(map.eventTime === undefined ? {} : { eventTime: map.eventTime }),
  });
}
