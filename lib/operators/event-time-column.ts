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

/** NULL is never late (SEMANTICS E3). For single rows both late rules say the same: at the watermark is late already. */
export const isLate = (bound: Micros | null, watermarkForLateEvents: Watermark): boolean =>
  bound !== null && bound <= watermarkForLateEvents * 1000;
