import { parseDelay } from "../../time/duration.js";
import type { LogicalNode, WatermarkNode } from "../logical-plan.js";
import { makeSchema } from "../make-schema.js";
import { requireEventTimeType } from "../require-event-time.js";
import { requireField } from "../resolve.js";

/**
 * From here on the column is a timestamp: a json column is cast in place (DATA.md section 2).
 * @throws `unknown-column`, `event-time-type`, `invalid-interval`, `negative-delay`
 */
export function watermarkNode(input: LogicalNode, column: string, delay: string): WatermarkNode {
  const field = requireField(input.schema, column);
  requireEventTimeType(field);
  const cast = { ...field, type: "timestamp" as const };
  const known = input.schema.fields.some(({ name }) => name === column);
  const fields = known
    ? input.schema.fields.map((other) => (other.name === column ? cast : other))
    : [...input.schema.fields, cast];
  return Object.freeze({
    kind: "withWatermark",
    input,
    column,
    delayMs: parseDelay(delay),
    delay,
    schema: makeSchema(fields, input.schema.open === true),
  });
}
