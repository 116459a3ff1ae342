import type { Row } from "../plan/schema.js";
import type { EventTime } from "../time/event-time.js";
import { isoDay } from "../time/iso-time.js";
import { isWindow } from "../time/window.js";
import type { OutputBatch } from "./sink.js";

/** A batch's rows by the UTC day of their window's start or event time, days ascending, rows in their order; rows without time by arrival. */
export function rowsByDay(batch: OutputBatch): readonly (readonly [day: string, rows: readonly Row[]])[] {
  const arrivalDay = isoDay(batch.arrival) ?? "1970-01-01";
  const days = new Map<string, Row[]>();
  for (const row of batch.rows) {
    const time = batch.timeColumn === null ? null : timeOf(row[batch.timeColumn]);
    const day = (time === null ? null : isoDay(time)) ?? arrivalDay;
    const rows = days.get(day);
    if (rows === undefined) days.set(day, [row]);
    else rows.push(row);
  }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
}

const timeOf = (value: unknown): EventTime | null => {
  if (typeof value === "number") return value;
  if (isWindow(value)) return value.start;
  return value instanceof Date ? value.getTime() : null;
};
