import { userError } from "../../errors.js";
import { parseDuration, parseInterval, parseSessionGap } from "../../time/duration.js";
import { requireZone } from "../../time/time-zone.js";
import type { SessionSpec, WindowSpec } from "../logical-plan.js";

export interface WindowInput {
  readonly column: string;
  readonly size: string;
  /** How far apart windows begin; the size by default. */
  readonly slide?: string;
  /** Shifts the grid, which otherwise stands on the epoch. */
  readonly offset?: string;
  /** Then the size is days, weeks, months or years as clocks there count them. */
  readonly timeZone?: string;
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

type WindowGrid = Pick<WindowSpec, "size" | "slide" | "offset" | "calendar">;

/**
 * Checked parts of a window in microseconds (SEMANTICS C1).
 * @throws `window-out-of-range`, `invalid-interval`, `interval-in-months`, `window-time-zone`, `time-zone`
 */
export function windowGrid(input: Pick<WindowInput, "size" | "slide" | "offset" | "timeZone">): WindowGrid {
  if (input.timeZone !== undefined) return calendarWindow(input, input.timeZone);
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

/** A window that the clocks of a zone cut: a month is told by its number, so its size here is the longest. */
function calendarWindow(
  { size: text, slide, offset }: Pick<WindowInput, "size" | "slide" | "offset">,
  timeZone: string,
): WindowGrid {
  requireZone(timeZone);
  const { months, micros } = parseInterval(text);
  const unit = months > 0 ? "month" : "day";
  const count = months > 0 ? months : micros / MICROS_PER_DAY;
  const mixed = months > 0 && micros !== 0;
  if (slide !== undefined || offset !== undefined || mixed || !Number.isInteger(count) || count <= 0)
    throw userError(
      "window-time-zone",
      `Windows of '${text}' in ${timeZone} do not begin with its days, or they slide or are shifted.`,
      "Use days, weeks, months or years without slide and offset; for hours leave the time zone out.",
    );
  const size = count * (unit === "day" ? 1 : MOST_DAYS_OF_MONTH) * MICROS_PER_DAY;
  return { size, slide: size, offset: 0, calendar: Object.freeze({ unit, count, timeZone }) };
}

const MOST_DAYS_OF_MONTH = 31;
const MICROS_PER_DAY = 86_400_000_000;

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
