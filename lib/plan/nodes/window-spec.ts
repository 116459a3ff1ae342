import { userError } from "../../errors.js";
import { parseDuration, parseSessionGap } from "../../time/duration.js";
import type { Micros } from "../../time/event-time.js";
import type { SessionSpec, WindowSpec } from "../logical-plan.js";

export interface WindowInput {
  readonly column: string;
  readonly size: string;
  /** How far apart windows begin; the size by default. */
  readonly slide?: string;
  /** Shifts the grid, which otherwise stands on the epoch. */
  readonly offset?: string;
  /** Output column, `window` by default. */
  readonly as?: string;
}

/** A row is added to each of its windows: one row of a day by milliseconds would take minutes, and no batch would ever end. */
const MOST_WINDOWS_OF_ROW = 100_000;

const outOfRange = (message: string) =>
  userError(
    "window-out-of-range",
    message,
    "Give a size and a slide above zero, a slide of at most the size and no less than its hundred-thousandth, an offset smaller than the slide.",
  );

/** Checked parts of a window in microseconds (SEMANTICS C1). @throws `window-out-of-range`, `invalid-interval`, `interval-in-months` */
export function windowGrid(input: Pick<WindowInput, "size" | "slide" | "offset">): {
  readonly size: Micros;
  readonly slide: Micros;
  readonly offset: Micros;
} {
  const size = parseDuration(input.size);
  const slide = input.slide === undefined ? size : parseDuration(input.slide);
  const offset = input.offset === undefined ? 0 : parseDuration(input.offset);
  if (size <= 0) throw outOfRange(`A window of '${input.size}' has no length.`);
  if (slide <= 0) throw outOfRange(`Windows cannot slide by '${input.slide}'.`);
  if (slide > size)
    throw outOfRange(`Windows of '${input.size}' that slide by '${input.slide}' would leave rows in none.`);
  const windowsOfRow = Math.ceil(size / slide);
  if (windowsOfRow > MOST_WINDOWS_OF_ROW)
    throw outOfRange(`Windows of '${input.size}' that slide by '${input.slide}' put each row into ${windowsOfRow}.`);
  if (Math.abs(offset) >= slide) throw outOfRange(`The offset '${input.offset}' is not smaller than the slide.`);
  return { size, slide, offset };
}

export function makeWindow(input: WindowInput): WindowSpec {
  const grid = windowGrid(input);
  return Object.freeze({
    kind: grid.slide === grid.size ? "tumbling" : "sliding",
    column: input.column,
    ...grid,
    as: input.as ?? "window",
  });
}

/** `gap` as the spec has it, or an interval string. Output column `session_window` by default, as in Spark. */
export function makeSession(
  column: string,
  gap: string | SessionSpec["gap"],
  as: string = "session_window",
): SessionSpec {
  return Object.freeze({ kind: "session", column, gap: typeof gap === "string" ? parseSessionGap(gap) : gap, as });
}
