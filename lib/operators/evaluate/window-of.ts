import { type CalendarGrid, type CalendarPeriod, calendarGrid } from "../../time/calendar-window.js";
import { isInstant, type Micros, toMicros } from "../../time/event-time.js";
import { forEachWindowStart, isWindow, lastInstantOf, type Window, windowAt } from "../../time/window.js";
import { type Call, type CallCompiler, unary } from "./apply.js";
import { eventTimeValue } from "./cast.js";

/** The parts of windowOf's options, in microseconds. */
interface WindowGrid {
  readonly size: number;
  readonly slide: number;
  readonly offset: number;
  readonly calendar?: CalendarGrid;
}

export function windowGridOf(call: Call): WindowGrid {
  const size = Number(call.options?.["size"]);
  const calendar = call.options?.["calendar"] as CalendarPeriod | undefined;
  return {
    size,
    slide: Number(call.options?.["slide"] ?? size),
    offset: Number(call.options?.["offset"] ?? 0),
    ...(calendar === undefined ? {} : { calendar: calendarGrid(calendar) }),
  };
}

/** Microseconds of an event time, or of a window, whose time is its last instant (SEMANTICS H4); null: a json value that is no time. */
function microsOf(value: unknown): Micros | null {
  if (typeof value === "number") return isInstant(value) ? toMicros(value) : null;
  if (isWindow(value)) return toMicros(lastInstantOf(value));
  const time = eventTimeValue(value);
  return time === undefined ? null : toMicros(time);
}

/** Every window that holds the time, oldest first: a projection repeats the row for each (SEMANTICS G1). None: there is no time. */
export function windowsOf(value: unknown, grid: WindowGrid): Window[] {
  const windows: Window[] = [];
  const micros = microsOf(value);
  if (micros === null) return windows;
  if (grid.calendar !== undefined) {
    const start = grid.calendar.startOf(micros);
    return [windowAt(start, grid.calendar.sizeFrom(start))];
  }
  forEachWindowStart(micros, grid.size, grid.slide, grid.offset, (start) =>
    windows.unshift(windowAt(start, grid.size)),
  );
  return windows;
}

export const compileWindow: CallCompiler = (call, scope) => {
  if (call.fn === "windowTime") return unary(call, scope, (window: Window) => lastInstantOf(window));
  const grid = windowGridOf(call);
  return unary(call, scope, (value: unknown) => windowsOf(value, grid)[0] ?? null);
};
