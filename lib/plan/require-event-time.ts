import { userError } from "../errors.js";
import { typeText } from "./data-type.js";
import type { Field } from "./schema.js";

/** timestamp and json may carry event time (DATA.md section 1). @throws `event-time-type` */
export function requireEventTimeType(field: Field): void {
  if (field.type === "timestamp" || field.type === "json") return;
  throw userError(
    "event-time-type",
    `The event time '${field.name}' has the type ${typeText(field.type)}, but must be a timestamp.`,
    "Declare the column as timestamp(), or compute one with toTimestamp(), timestampSeconds() or timestampMillis().",
  );
}

/** A window() also takes the window of an earlier aggregation, whose time is its end less 1 µs (SEMANTICS H4). @throws `event-time-type` */
export function requireWindowable(field: Field): void {
  if (field.type !== "window") requireEventTimeType(field);
}
