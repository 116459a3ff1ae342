import { ColumnBatch } from "../columns/column-batch.js";
import { userError } from "../errors.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { nodesUpwards } from "../plan/walk.js";
import { finishPasses } from "../planner/passes.js";
import { planQuery } from "../planner/plan-query.js";
import { pushDownFilters } from "../planner/push-down-filters.js";
import { decodeRecords } from "../runtime/decode-records.js";
import { sourcesOf } from "../runtime/query-sources.js";
import { sourceDecoder } from "../runtime/source-decoder.js";
import { memoryState } from "../state/staged-state.js";
import { NO_WATERMARK } from "../time/event-time.js";
import type { Inputs } from "./inputs.js";
import { sourceBatches } from "./source-batches.js";
import { watermarksOf } from "./watermark-delays.js";

/**
 * By watermark, in plan order, the smallest delay in ms under which no row of these files is late: found by reading them once, in
 * constant memory.
 *
 * @throws `exact-within-watermark` where the delay is part of the answer, `exact-without-watermark`
 */
export async function exactDelays(
  definition: QueryDefinition,
  inputs: Inputs,
  batchSize: number,
  staticRows: (name: string) => readonly Row[],
): Promise<readonly number[]> {
  refuseWhereDelayIsMeaning(definition);
  const state = memoryState().stage();
  const marks = watermarksOf(pushDownFilters(definition.plan)).map((plan) => {
    const mark = { lowest: Number.POSITIVE_INFINITY, ...NOTHING_SEEN, delay: 0 };
    const onEventTime = (_: string, time: number | null) => {
      if (time === null) return;
      if (time < mark.lowest) mark.lowest = time;
      if (time > mark.highest) mark.highest = time;
    };
    return { mark, query: planQuery({ ...definition, plan }, { staticRows, onEventTime }) };
  });
  const readers = [...new Map(sourcesOf(definition.plan).map((node) => [node.name, node])).values()].map((node) => ({
    name: node.name,
    decode: sourceDecoder(node, definition),
    batches: sourceBatches(node, { paths: inputs.get(node.name)!, batchSize }),
  }));
  for (let open = true; open; ) {
    open = false;
    for (const { query } of marks) {
      const none = { watermarkForLateEvents: NO_WATERMARK, watermarkForEviction: NO_WATERMARK };
      query.beginPass({ ...none, processingTime: 0, state });
    }
    for (const { name, decode, batches } of readers) {
      const { value: records } = await batches.next();
      if (records === undefined) continue;
      open = true;
      const { table, rows } = decodeRecords(decode, records);
      const batch = new ColumnBatch(table, rows, null);
      for (const { query } of marks)
        query.sources.forEach((source, at) => {
          if (source.name === name) query.process(at, { batch, shard: "input", arrivals: null, maxFutureSkewMs: null });
        });
    }
    for (const { query } of marks) finishPasses(query.endPass());
    settle(
      marks.map(({ mark }) => mark),
      definition.watermarkPolicy === "max",
    );
  }
  return marks.map(({ mark }) => mark.delay);
}

interface Mark {
  /** Of the micro-batch at hand. */
  lowest: number;
  highest: number;
  /** The highest of the micro-batches before it, by which its rows are judged. */
  before: number;
  delay: number;
}

const NOTHING_SEEN = { highest: Number.NEGATIVE_INFINITY, before: Number.NEGATIVE_INFINITY };

/** A row is late at the watermark already, hence one millisecond more. Under the policy max, the fastest input judges all rows. */
function settle(marks: readonly Mark[], fastestJudges: boolean): void {
  const fastest = Math.max(...marks.map(({ before }) => before));
  const lowest = Math.min(...marks.map((mark) => mark.lowest));
  for (const mark of marks) {
    const behind = fastestJudges ? fastest - lowest : mark.before - mark.lowest;
    if (Number.isFinite(behind)) mark.delay = Math.max(mark.delay, Math.floor(behind) + 1);
    mark.lowest = Number.POSITIVE_INFINITY;
    mark.before = mark.highest;
  }
}

function refuseWhereDelayIsMeaning({ plan }: QueryDefinition): void {
  if (watermarksOf(plan).length === 0) {
    throw userError(
      "exact-without-watermark",
      "The query has no watermark, so no row of it is ever late.",
      "Leave out --exact; --drain closes what is open at the end.",
    );
  }
  if (nodesUpwards(plan).some((node) => node.kind === "deduplicate" && node.withinWatermark)) {
    throw userError(
      "exact-within-watermark",
      "dropDuplicatesWithinWatermark() forgets keys after the delay: with another delay it gives another answer.",
      "Leave out --exact, or use dropDuplicates() with the event time among its keys.",
    );
  }
}
