import type { ColumnBatch } from "../columns/column-batch.js";
import { type LatenessMeter, latenessMeter } from "../lateness/lateness-meter.js";
import { boundOf } from "../operators/event-time-column.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { finishPasses } from "../planner/passes.js";
import { groupingKeys } from "../planner/plan-aggregate.js";
import { planQuery } from "../planner/plan-query.js";
import { memoryState } from "../state/staged-state.js";
import { NO_WATERMARK } from "../time/event-time.js";
import { lateRuleOf } from "./late-rule-of.js";

export interface ProbeOptions {
  readonly delays: readonly number[];
  readonly keep: number;
  readonly staticRows: (name: string) => readonly Row[];
  /** Every row that the watermark sees counts as one that may be late: for a column that is measured without a query. */
  readonly everyRow?: boolean;
  /** Epoch ms, of a row as it was decoded; absent: not known. */
  readonly arrivalOf?: ((row: Row) => number | null) | undefined;
}

interface LatenessProbe {
  readonly meter: LatenessMeter;
  /** The rows of one micro-batch, in order of arrival. */
  batch(rows: ColumnBatch): void;
}

/**
 * Runs what of a query stands below its first stateful operator, and measures what its watermark sees and what reaches the operator.
 * A session with a computed gap counts as one without: its rows are late no later than that.
 */
export function latenessProbe(definition: QueryDefinition, options: ProbeOptions): LatenessProbe {
  const { delays, keep, staticRows, arrivalOf, everyRow = false } = options;
  const rule = lateRuleOf(definition);
  const meter = latenessMeter({ ...rule.options, delays: [rule.mark.delayMs, ...delays], keep });
  let arrival: number | null = null;
  const query = planQuery(
    { ...definition, plan: rule.input },
    {
      staticRows,
      onEventTime: (_, eventTime) => {
        if (eventTime !== null) meter.observe(eventTime, arrival);
      },
    },
  );
  const keys =
    rule.operator?.kind === "aggregate" ? groupingKeys(rule.operator, { definition, staticRows }).encode : () => "";
  const state = memoryState().stage();

  const reach = (row: Row): void => {
    const bound = boundOf(rule.time, row);
    if (bound !== null) meter.reach(bound / 1000, keys(row));
  };

  return {
    meter,
    batch(rows) {
      query.beginPass({
        watermarkForLateEvents: NO_WATERMARK,
        watermarkForEviction: NO_WATERMARK,
        processingTime: 0,
        state,
      });
      const feed = (some: ColumnBatch) =>
        query.process(0, { batch: some, shard: "input", arrivals: null, maxFutureSkewMs: null });
      if (arrivalOf === undefined) feed(rows);
      else {
        const row = rows.cursor();
        for (let place = 0; place < rows.length; place++) {
          arrival = arrivalOf(row(rows.selection[place]!));
          feed(rows.only(place));
        }
      }
      finishPasses(query.endPass(), ({ output }) => {
        if (everyRow || rule.operator !== null) for (const row of output) reach(row);
      });
      meter.endBatch();
    },
  };
}
