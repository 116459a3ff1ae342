import { ColumnBatch, rowBatch } from "../../columns/column-batch.js";
import type { QueryDefinition } from "../../plan/logical-plan.js";
import type { Row } from "../../plan/schema.js";
import { finishPasses } from "../../planner/passes.js";
import { planQuery } from "../../planner/plan-query.js";
import { pushDownFilters } from "../../planner/push-down-filters.js";
import { decodeRecords } from "../../runtime/decode-records.js";
import { sourcesOf } from "../../runtime/query-sources.js";
import { sourceDecoder } from "../../runtime/source-decoder.js";
import { memoryState } from "../../state/staged-state.js";
import { NO_WATERMARK, toMicros } from "../../time/event-time.js";
import { forEachWindowStart, windowAt } from "../../time/window.js";
import { sourceBatches } from "../source-batches.js";
import type { MissedGroups } from "./correct-results.js";
import type { ReplayedAggregate } from "./replayed-aggregate.js";

const BATCH = 10_000;

/** The groups that missed rows, anew from the raw events in the order of reading: for aggregates that no result tells. */
export async function* recomputedRows(
  definition: QueryDefinition,
  aggregate: ReplayedAggregate,
  groups: MissedGroups,
  paths: readonly string[],
  staticRows: (name: string) => readonly Row[],
): AsyncGenerator<Row> {
  const { aggregates, keys, groupOf, node } = aggregate;
  const { input } = pushDownFilters(node) as typeof node;
  const query = planQuery({ ...definition, plan: input }, { staticRows });
  const [source] = sourcesOf(definition.plan);
  const decode = sourceDecoder(source!, definition);
  const accumulators = new Map([...groups.keys()].map((name) => [name, aggregates.create()]));
  const window = node.window as Extract<typeof node.window, { readonly size: number }>;
  const state = memoryState().stage();
  for await (const records of sourceBatches(source!, { paths, batchSize: BATCH })) {
    const { table, rows } = decodeRecords(decode, records);
    query.beginPass({
      watermarkForLateEvents: NO_WATERMARK,
      watermarkForEviction: NO_WATERMARK,
      processingTime: 0,
      state,
    });
    query.process(0, {
      batch: new ColumnBatch(table, rows, null),
      shard: "input",
      arrivals: null,
      maxFutureSkewMs: null,
    });
    finishPasses(query.endPass(), ({ output }) => {
      const add = aggregates.over(rowBatch(output));
      output.forEach((row, at) => {
        const time = row[window.column] as number | null;
        if (time === null) return;
        const key = keys.encode(row);
        forEachWindowStart(toMicros(time), window.size, window.slide, window.offset, (start) => {
          const accumulator = accumulators.get(groupOf(windowAt(start, window.size), key));
          if (accumulator !== undefined) add(accumulator, at);
        });
      });
    });
  }
  for (const [name, { rows }] of groups)
    yield { ...aggregates.finish(accumulators.get(name)!, aggregate.rowOf(name)), lateRows: rows.length };
}
