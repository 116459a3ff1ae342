import { userError } from "../errors.js";
import type { LatenessOptions } from "../lateness/lateness-meter.js";
import type { LogicalNode, QueryDefinition, WatermarkNode } from "../plan/logical-plan.js";
import { keepsState, nodesUpwards } from "../plan/walk.js";
import { type WatermarkedColumn, watermarkedColumns } from "../plan/watermarked-columns.js";
import { pushDownFilters } from "../planner/push-down-filters.js";

/** Where in a query rows are found late, and by what. */
interface LateRuleOf {
  readonly mark: WatermarkNode;
  /** The lowest operator with state, fed by `input`; null: nothing is late, as in complete mode. */
  readonly operator: LogicalNode | null;
  readonly input: LogicalNode;
  /** Of `input`. */
  readonly time: WatermarkedColumn;
  readonly options: Pick<LatenessOptions, "window" | "slackMs" | "lateRule">;
}

/** @throws `lateness-watermark` unless the query has one watermark over one source */
export function lateRuleOf({ plan, outputMode, lateRule }: QueryDefinition): LateRuleOf {
  const nodes = nodesUpwards(pushDownFilters(plan));
  const marks = nodes.filter((node) => node.kind === "withWatermark");
  const sources = nodes.filter(({ kind }) => kind === "source");
  const [mark] = marks;
  if (mark === undefined || marks.length > 1 || sources.length > 1) {
    throw userError(
      "lateness-watermark",
      `The query has ${plural(marks.length, "watermark")} over ${plural(sources.length, "source")}; lateness is measured of one over one.`,
      "Measure one input alone, with --time COLUMN, or compare whole runs with tidemark run --delays.",
    );
  }
  const operator = nodes.find((node) => keepsState(node, outputMode));
  const input = operator === undefined || !("input" in operator) ? mark : operator.input;
  const [time] = watermarkedColumns(input);
  const isKept = operator?.kind === "aggregate" && outputMode === "complete" && operator.window?.kind !== "session";
  if (operator === undefined || time === undefined || isKept)
    return { mark, operator: null, input: mark, time: watermarkedColumns(mark)[0]!, options: {} };
  return { mark, operator, input, time, options: { lateRule, ...closing(operator, time) } };
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** What keeps a row of an event time from being late: its windows, or the gap of the session that it would open. */
function closing(node: LogicalNode, time: WatermarkedColumn): Pick<LatenessOptions, "window" | "slackMs"> {
  if (node.kind !== "aggregate" || node.window === undefined || node.window.column !== time.name) return {};
  if (node.window.kind !== "session") return { window: node.window };
  const { gap } = node.window;
  return typeof gap === "number" && gap > 0 ? { slackMs: gap / 1000 } : {};
}
