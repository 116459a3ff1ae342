import { rowBatch } from "../../lib/columns/column-batch.js";
import type { OperatorMetrics } from "../../lib/operators/operator.js";
import { defineQuery } from "../../lib/plan/define-query.js";
import type { LogicalNode } from "../../lib/plan/logical-plan.js";
import type { Row } from "../../lib/plan/schema.js";
import { runPasses } from "../../lib/planner/passes.js";
import type { PassResult } from "../../lib/planner/physical-query.js";
import { planQuery } from "../../lib/planner/plan-query.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { collectPass } from "../planner/collect-pass.js";

/** Micro-batches through a whole plan: per step all output, and the metrics of its last pass, Spark's order. */
export function plannedQuery(plan: LogicalNode) {
  const definition = defineQuery({ queryName: "trial", outputMode: "append", plan, sink: { kind: "memory" } });
  const query = planQuery(definition);
  const state = memoryState();
  const perNode = query.watermarks.map(() => 0);
  let watermarks = { lastPassWatermark: 0, watermark: 0 };

  const advance = ({ observations }: PassResult): number => {
    for (const { node, maxEventTime } of observations) {
      const seen = Math.floor(maxEventTime) - query.watermarks[node]!.delayMs;
      perNode[node] = Math.max(perNode[node]!, seen);
    }
    return Math.min(...perNode);
  };

  return {
    get watermark() {
      return watermarks.watermark;
    },
    add(rows: Readonly<Record<string, readonly Row[]>>): {
      readonly output: readonly Row[];
      readonly metrics: readonly OperatorMetrics[];
    } {
      const staged = state.stage();
      const feed = () =>
        query.sources.forEach(({ name }, source) => {
          const given = rows[name] ?? [];
          const batch = rowBatch(given.map((row) => ({ ...row })));
          query.process(source, { batch, shard: "0", arrivals: null, maxFutureSkewMs: null });
        });
      const result = collectPass(
        runPasses({
          query,
          watermarks,
          options: { processingTime: 0, state: staged },
          noDataPasses: query.wantsNoDataPass,
          leadingPass: false,
          feed,
          advance,
        }),
      );
      state.commit(staged);
      watermarks = { ...result.watermarks };
      const passes = [result.data!, ...(result.followUp === null ? [] : [result.followUp])];
      return { output: result.output, metrics: passes.at(-1)!.stateOperators };
    },
  };
}
