import type { LogicalNode, OutputMode, StatefulNode } from "../logical-plan.js";
import { makeSchema } from "../make-schema.js";
import { operatorId } from "../operator-id.js";
import { requireEventTimeType } from "../require-event-time.js";
import { requireField } from "../resolve.js";
import type { Schema } from "../schema.js";

export interface StatefulInput {
  readonly kind: StatefulNode["kind"];
  readonly keys: readonly string[];
  /** Id in `QueryDefinition.functions`. */
  readonly function: string;
  readonly timeMode: StatefulNode["timeMode"];
  readonly outputMode: OutputMode;
  /** Of the rows that the processor returns. */
  readonly schema: Schema;
  readonly eventTime?: string;
  readonly operatorId?: string;
}

export function statefulNode(input: LogicalNode, stateful: StatefulInput): StatefulNode {
  for (const key of stateful.keys) requireField(input.schema, key);
  const schema = makeSchema(stateful.schema.fields, stateful.schema.open === true);
  if (stateful.eventTime !== undefined) requireEventTimeType(requireField(schema, stateful.eventTime));
  return Object.freeze({
    kind: stateful.kind,
    input,
    operatorId: operatorId(stateful.operatorId, stateful.kind, stateful.keys),
    keys: Object.freeze([...stateful.keys]),
    function: stateful.function,
    timeMode: stateful.timeMode,
    outputMode: stateful.outputMode,
    schema,
    ...(stateful.eventTime === undefined ? {} : { eventTime: stateful.eventTime }),
  });
}
