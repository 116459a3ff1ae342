import type { StagedState } from "../checkpoint/state-partition.js";
import { runPasses, type Watermarks } from "../planner/passes.js";
import type { PassOutput, PassResult, PhysicalQuery } from "../planner/physical-query.js";
import type { WatermarkAdvance } from "./query-watermark.js";

export interface PassesRequest {
  readonly query: PhysicalQuery;
  readonly watermarks: Watermarks;
  readonly staged: StagedState;
  readonly processingTime: number;
  /** The query's last pass: timers of either clock fire, whenever they are due. */
  readonly drains?: boolean;
  /** Whether an advanced watermark is worth a pass of its own (SEMANTICS A9). */
  readonly noDataPasses: boolean;
}

export interface PassesOutcome extends Watermarks, Omit<WatermarkAdvance, "watermark"> {
  /** In the order in which they ran. */
  readonly passes: readonly PassResult[];
}

/** Passes as they run: each part of their output is to be taken before the next one is made. */
export type Passes<Outcome = PassesOutcome> = Generator<PassOutput, Outcome>;

/** A data pass with what goes before and after it: all passes of one commit. */
export function* runDataPasses(
  request: PassesRequest,
  feed: () => void,
  advance: (data: PassResult) => WatermarkAdvance,
): Passes {
  let advanced: Omit<WatermarkAdvance, "watermark"> | undefined;
  const { watermarks, ...result } = yield* runPasses({
    ...passesOf(request),
    feed,
    advance: (data) => {
      const { watermark, ...rest } = advance(data);
      advanced = rest;
      return watermark;
    },
  });
  return { ...watermarks, ...advanced!, passes: passesRun(result) };
}

/** The pass without data that a moved watermark is worth, if they are. */
export function* runNoDataPass(
  request: PassesRequest,
): Generator<PassOutput, Watermarks & { readonly passes: readonly PassResult[] }> {
  const { watermarks, ...result } = yield* runPasses({
    ...passesOf(request),
    advance: () => request.watermarks.watermark,
  });
  return { ...watermarks, passes: passesRun(result) };
}

const passesOf = ({ query, watermarks, staged, processingTime, noDataPasses, drains = false }: PassesRequest) => ({
  query,
  watermarks,
  options: { processingTime, drains, state: staged },
  noDataPasses,
  leadingPass: true,
});

const passesRun = (result: Record<"leading" | "data" | "followUp", PassResult | null>): readonly PassResult[] =>
  [result.leading, result.data, result.followUp].filter((pass) => pass !== null);

/** Runs passes to their end, and hands their output on as it comes. */
export async function stagePasses<Outcome>(
  passes: Passes<Outcome>,
  take: (output: PassOutput) => Promise<void>,
): Promise<Outcome> {
  let next = passes.next();
  for (; next.done !== true; next = passes.next()) await take(next.value);
  return next.value;
}
