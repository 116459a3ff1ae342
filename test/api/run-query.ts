import { rowBatch } from "../../lib/columns/column-batch.js";
import type { Query } from "../../lib/index.js";
import type { StaticNode } from "../../lib/plan/logical-plan.js";
import type { Row } from "../../lib/plan/schema.js";
import { nodesUpwards } from "../../lib/plan/walk.js";
import { planQuery } from "../../lib/planner/plan-query.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { collectPass } from "../planner/collect-pass.js";

/**
 * Rows of every source through one data pass, then a pass without data that evicts through `evict`; what either emits.
 * No late filter: that is the runtime's affair.
 */
export function runQuery(
  { definition }: Query,
  inputs: Readonly<Record<string, readonly Row[]>>,
  evict: number,
): readonly Row[] {
  const tables = new Map(
    nodesUpwards(definition.plan).flatMap((node) =>
      node.kind === "static" ? [[node.name, rowsOf(node)] as const] : [],
    ),
  );
  const query = planQuery(definition, { staticRows: (name) => tables.get(name) ?? [] });
  const state = memoryState();
  const pass = (watermarkForEviction: number, feed: boolean) => {
    const staged = state.stage();
    query.beginPass({
      watermarkForLateEvents: Number.NEGATIVE_INFINITY,
      watermarkForEviction,
      processingTime: 0,
      state: staged,
    });
    query.sources.forEach(({ name }, source) => {
      const rows = feed ? (inputs[name] ?? []).map((row) => ({ ...row })) : [];
      query.process(source, { batch: rowBatch(rows), shard: "0", arrivals: null, maxFutureSkewMs: null });
    });
    const { output } = collectPass(query.endPass());
    state.commit(staged);
    return output;
  };
  return [...pass(Number.NEGATIVE_INFINITY, true), ...pass(evict, false)];
}

const rowsOf = ({ descriptor }: StaticNode): readonly Row[] => (descriptor.kind === "table" ? descriptor.rows : []);
