import type { Watermark } from "../time/event-time.js";
import type { PassOptions, PassOutput, PassResult, PhysicalQuery } from "./physical-query.js";

/** What is remembered between passes: what the last one evicted with, and the watermark. Never one variable (SEMANTICS A2, H2). */
export interface Watermarks {
  readonly lastPassWatermark: Watermark;
  readonly watermark: Watermark;
}

type PassWatermarks = Pick<PassOptions, "watermarkForLateEvents" | "watermarkForEviction">;

const evictAt = ({ lastPassWatermark, watermark }: Watermarks): PassWatermarks => ({
  watermarkForLateEvents: lastPassWatermark,
  watermarkForEviction: watermark,
});

/** A pass without data: only if the watermark moved since the last pass, and some operator wants it (SEMANTICS A9). */
export const noDataPass = (wanted: boolean, watermarks: Watermarks): PassWatermarks | null =>
  wanted && watermarks.watermark > watermarks.lastPassWatermark ? evictAt(watermarks) : null;

export const dataPass = evictAt;

/** After a pass it is the watermark that it evicted with that the next one is late by. */
export const afterPass = ({ watermark }: Watermarks): Watermarks => ({ lastPassWatermark: watermark, watermark });

/** One pass from begin to end; its output is given as it comes. */
export function* runPass(
  query: PhysicalQuery,
  options: PassOptions,
  feed?: () => void,
): Generator<PassOutput, PassResult> {
  query.beginPass(options);
  feed?.();
  return yield* query.endPass();
}

/** What the passes return, with their output thrown away or handed over. */
export function finishPasses<Result>(
  passes: Generator<PassOutput, Result>,
  take: (output: PassOutput) => void = () => {},
): Result {
  let next = passes.next();
  for (; next.done !== true; next = passes.next()) take(next.value);
  return next.value;
}

interface MicroBatchPasses {
  readonly query: PhysicalQuery;
  readonly watermarks: Watermarks;
  readonly options: Omit<PassOptions, keyof PassWatermarks>;
  /** `query.wantsNoDataPass`, and the query's `noDataMicroBatches`. */
  readonly noDataPasses: boolean;
  /** Off in the driver of the recordings: Spark never begins a run with a batch without data (SEMANTICS A10). */
  readonly leadingPass: boolean;
  /** Feeds the micro-batch's rows with `query.process`; absent: a tick, which is the leading pass alone. */
  readonly feed?: () => void;
  /** The watermark after what the data pass has seen. */
  readonly advance: (result: PassResult) => Watermark;
}

interface MicroBatchResult {
  readonly watermarks: Watermarks;
  readonly leading: PassResult | null;
  readonly data: PassResult | null;
  readonly followUp: PassResult | null;
}

/**
 * A micro-batch: (1) a leading pass for a watermark that moved after the last pass, (2) the data pass, (3) a follow-up pass
 * if the data moved the watermark. One commit for all (DESIGN.md section 2).
 */
export function* runPasses(batch: MicroBatchPasses): Generator<PassOutput, MicroBatchResult> {
  const { query, noDataPasses, feed } = batch;
  let { watermarks } = batch;

  function* run(pass: PassWatermarks | null, rows?: () => void): Generator<PassOutput, PassResult | null> {
    if (pass === null) return null;
    const result = yield* runPass(query, { ...batch.options, ...pass }, rows);
    watermarks = afterPass(watermarks);
    return result;
  }

  const leading = yield* run(batch.leadingPass ? noDataPass(noDataPasses, watermarks) : null);
  if (feed === undefined) return { watermarks, leading, data: null, followUp: null };
  const data = (yield* run(dataPass(watermarks), feed))!;
  watermarks = { ...watermarks, watermark: Math.max(watermarks.watermark, batch.advance(data)) };
  const followUp = yield* run(noDataPass(noDataPasses, watermarks));
  return { watermarks, leading, data, followUp };
}
