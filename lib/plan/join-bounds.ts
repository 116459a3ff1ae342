import type { Micros } from "../time/event-time.js";
import type { Expression, FunctionName } from "./expression.js";
import type { WatermarkedColumn } from "./watermarked-columns.js";

type Side = "left" | "right";
type TimeColumn = Pick<WatermarkedColumn, "name" | "type"> | undefined;

export interface TimeColumns {
  readonly left: TimeColumn;
  readonly right: TimeColumn;
}

/** `time of the side's row + shift`, where the time of a row with a window is the window's end. */
interface LinearTime {
  readonly side: Side;
  readonly shift: Micros;
}

function linearTime(expression: Expression, times: TimeColumns): LinearTime | null {
  if (expression.kind === "column") {
    const time = expression.side && times[expression.side];
    if (time === undefined || time.name !== expression.name) return null;
    const path = (expression.path ?? []).join(".");
    const isRowTime = time.type === "window" ? path === "end" : path === "";
    return isRowTime ? { side: expression.side!, shift: 0 } : null;
  }
  if (expression.kind !== "call") return null;
  const [first, second] = expression.args;
  if (expression.fn === "windowTime" && first?.kind === "column") {
    const end = linearTime({ ...first, path: [...(first.path ?? []), "end"] }, times);
    return end && { side: end.side, shift: -1 };
  }
  if ((expression.fn !== "add" && expression.fn !== "sub") || second?.kind !== "interval") return null;
  const inner = linearTime(first!, times);
  return inner && { side: inner.side, shift: inner.shift + (expression.fn === "add" ? second.micros : -second.micros) };
}

/** Whether a row with this key value at or below the watermark can meet no row that is not late. */
export function carriesEventTime(key: Expression, times: TimeColumns): boolean {
  if (linearTime(key, times)?.shift === 0) return true;
  if (key.kind === "call" && key.fn === "windowOf") return linearTime(key.args[0]!, times)?.shift === 0;
  if (key.kind !== "column" || (key.path ?? []).length > 0) return false;
  const time = key.side && times[key.side];
  return time?.type === "window" && time.name === key.name;
}

const NEGATED: Partial<Record<FunctionName, FunctionName>> = { lt: "ge", le: "gt", gt: "le", ge: "lt" };

/** `small < large` or `small <= large`; an equality is two of the latter. */
interface Inequality {
  readonly small: Expression;
  readonly large: Expression;
  readonly strict: boolean;
}

function inequalities(conjunct: Expression): readonly Inequality[] {
  if (conjunct.kind !== "call") return [];
  const [a, b] = conjunct.args as [Expression, Expression];
  switch (conjunct.fn) {
    case "lt":
    case "le":
      return [{ small: a, large: b, strict: conjunct.fn === "lt" }];
    case "gt":
    case "ge":
      return [{ small: b, large: a, strict: conjunct.fn === "gt" }];
    case "eq":
      return [
        { small: a, large: b, strict: false },
        { small: b, large: a, strict: false },
      ];
    case "not": {
      const negated = a.kind === "call" ? NEGATED[a.fn] : undefined;
      return negated === undefined ? [] : inequalities({ ...(a as typeof conjunct), fn: negated });
    }
    default:
      return [];
  }
}

/**
 * How long each side's rows outlive the watermark (SEMANTICS F2). `small + s <= large + l` with every small time to come above W
 * leaves no partner for a large time at or below `W + s - l`; Spark keeps one millisecond more unless the comparison is strict,
 * and whole milliseconds only. Several conditions: the longest retention. Only conditions between both event times count.
 */
export function retentionOf(
  all: readonly Expression[],
  times: TimeColumns,
): { readonly left: number | null; readonly right: number | null } {
  const retention: { left: number | null; right: number | null } = { left: null, right: null };
  for (const { small, large, strict } of all.flatMap(inequalities)) {
    const [s, l] = [linearTime(small, times), linearTime(large, times)];
    if (s === null || l === null || s.side === l.side) continue;
    const kept = (strict ? 0 : 1) - Math.floor((s.shift - l.shift) / 1000);
    retention[l.side] = Math.max(retention[l.side] ?? kept, kept);
  }
  return retention;
}
