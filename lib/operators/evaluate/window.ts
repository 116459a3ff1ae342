import { type EventTime, toMicros } from "../../time/event-time.js";
import { forEachWindowStart, type Window, windowOf, windowTime } from "../../time/window.js";
import { type Call, type CallCompiler, unary } from "./apply.js";

/** The parts of windowOf's options, in microseconds. */
export interface WindowGrid {
  readonly size: number;
  readonly slide: number;
  readonly offset: number;
}

export function windowGridOf(call: Call): WindowGrid {
  const size = Number(call.options?.["size"]);
  return { size, slide: Number(call.options?.["slide"] ?? size), offset: Number(call.options?.["offset"] ?? 0) };
}

/** Microseconds of an event time, or of a window, whose time is its last instant (SEMANTICS H4). */
export const microsOf = (value: unknown): number =>
  typeof value === "object" ? toMicros((value as Window).end) - 1 : toMicros(value as EventTime);

/** Every window that holds the time, oldest first: a projection repeats the row for each (SEMANTICS G1). */
export function windowsOf(value: unknown, grid: WindowGrid): Window[] {
  const windows: Window[] = [];
  forEachWindowStart(microsOf(value), grid.size, grid.slide, grid.offset, (start) =>
    windows.unshift(windowOf(start, grid.size)),
  );
  return windows;
}

export const compileWindow: CallCompiler = (call, scope) => {
  if (call.fn === "windowTime") return unary(call, scope, (window: Window) => windowTime(window));
  const grid = windowGridOf(call);
  return unary(call, scope, (value: unknown) => windowsOf(value, grid)[0]);
};
