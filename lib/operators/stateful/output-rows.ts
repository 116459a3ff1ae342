import { userError } from "../../errors.js";
import type { Row, Schema } from "../../plan/schema.js";
import { canonical, type EventTime, isInstant, LAST_EVENT_TIME, type Watermark } from "../../time/event-time.js";

interface OutputRowsSpec {
  readonly operatorId: string;
  readonly schema: Schema;
  /** The output column that carries event time on, if any. */
  readonly eventTime: string | null;
}

/**
 * What user code returned, as rows of the operator's schema: columns in order, absent ones null, dates as event times.
 * A row whose declared event time is older than the watermark is refused: everything downstream would call it late.
 */
export function outputRows(spec: OutputRowsSpec, produced: Iterable<Row>, watermarkForEviction: Watermark): Row[] {
  const rows: Row[] = [];
  for (const row of produced ?? []) {
    const result = spec.schema.open ? { ...row } : {};
    for (const field of spec.schema.fields) {
      const value = row[field.name] ?? null;
      const isTime = field.type === "timestamp" || field.name === spec.eventTime;
      result[field.name] = isTime && value !== null ? timeOf(spec, field.name, value) : value;
    }
    if (spec.eventTime !== null) checkNotOlder(spec, result[spec.eventTime] as EventTime | null, watermarkForEviction);
    rows.push(result);
  }
  return rows;
}

function timeOf(spec: OutputRowsSpec, column: string, value: unknown): EventTime {
  const time = value instanceof Date ? value.getTime() : value;
  if (typeof time === "number" && isInstant(time)) return canonical(time);
  throw userError(
    "output-not-a-time",
    `${spec.operatorId} returned a row whose column '${column}' is no time.`,
    "Return epoch milliseconds or a Date.",
  );
}

function checkNotOlder(spec: OutputRowsSpec, eventTime: EventTime | null, watermark: Watermark): void {
  // What a drain evicts with, less the bounds of joins, is an end, not a time to be older than.
  if (eventTime === null || eventTime >= watermark || watermark > LAST_EVENT_TIME) return;
  throw userError(
    "output-older-than-watermark",
    `${spec.operatorId} returned a row with ${spec.eventTime} ${instant(eventTime)}, older than the watermark ${instant(watermark)}.`,
    "Return rows at or after the watermark, or do not declare an event-time column for the output.",
  );
}

const instant = (time: number): string =>
  Math.abs(time) <= 8.64e15 ? `${new Date(time).toISOString()} (${time})` : String(time);
