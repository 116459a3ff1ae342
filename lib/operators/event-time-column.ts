import type { ColumnBatch } from "../columns/column-batch.js";
import type { Row } from "../plan/schema.js";
import { type EventTime, type Micros, toMicros, type Watermark } from "../time/event-time.js";
import { lastInstantOf, type Window } from "../time/window.js";

/** The column of an operator's input that carries the watermark: an event time, or the window of an aggregation upstream. */
export interface EventTimeColumn {
  readonly name: string;
  readonly type: "timestamp" | "window";
}

/** A row's event time; of a window its last instant (SEMANTICS H4). Null: the row has none. */
export function eventTimeOf(column: EventTimeColumn, row: Row): EventTime | null {
  const value = row[column.name] ?? null;
  if (value === null) return null;
  return column.type === "window" ? lastInstantOf(value as Window) : (value as EventTime);
}

/** What late test and eviction compare: the event time, or the end of a window, in microseconds (SEMANTICS C2, E1). */
export function boundOf(column: EventTimeColumn, row: Row): Micros | null {
  const value = row[column.name] ?? null;
  if (value === null) return null;
  return toMicros(column.type === "window" ? (value as Window).end : (value as EventTime));
}

/** `eventTimeOf` of the rows of a batch. */
export function eventTimesOf(column: EventTimeColumn, batch: ColumnBatch): (row: number) => EventTime | null {
  const vector = batch.column(column.name);
  if (column.type === "timestamp") return (row) => vector.get(row) as EventTime | null;
  return (row) => {
    const window = vector.get(row) as Window | null;
    return window === null ? null : lastInstantOf(window);
  };
}

/** `boundOf` of the rows of a batch. */
export function boundsOf(column: EventTimeColumn, batch: ColumnBatch): (row: number) => Micros | null {
  const vector = batch.column(column.name);
  return (row) => {
    const value = vector.get(row) as Window | EventTime | null;
    if (value === null) return null;
    return toMicros(typeof value === "object" ? value.end : value);
  };
}

/** NULL is never late (SEMANTICS E3). For single rows both late rules say the same: at the watermark is late already. */
export const isLate = (bound: Micros | null, watermarkForLateEvents: Watermark): boolean =>
  bound !== null && bound <= watermarkForLateEvents * 1000;
