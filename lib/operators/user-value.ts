import { userError } from "../errors.js";
import type { DataType } from "../plan/schema.js";
import { eventTimeValue } from "./evaluate/cast.js";

/** What a user function returned, as a column of its type holds it: absent is NULL, a date is an event time. */
export function userValue(type: DataType, column: string): (value: unknown) => unknown {
  if (type !== "timestamp") return (value) => value ?? null;
  return (value) => {
    if (value === null || value === undefined) return null;
    const time = eventTimeValue(value);
    if (time !== undefined) return time;
    throw userError(
      "output-not-a-time",
      `A function returned something in the column '${column}' that is no time.`,
      "Return epoch milliseconds, a Date or an ISO 8601 text.",
    );
  };
}
