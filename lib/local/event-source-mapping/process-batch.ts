import { arrivalOf, type DeliveredRecord } from "./event-record.js";
import { type DiscardReason, type FailureRecord, failureRecord } from "./failure-record.js";
import { judgeResponse, type Verdict } from "./judge-response.js";
import type { MappingWorld } from "./mapping-world.js";

/** Counted since the batch last got smaller by success. */
interface Tries {
  /** What the retry quota counts: a split does not. */
  readonly failures: number;
  readonly invocations: number;
  readonly threw: boolean;
}

const FIRST: Tries = { failures: 0, invocations: 0, threw: false };
const MAX_BACKOFF_FACTOR = 50;

/**
 * Returns when every record is processed or discarded, or the mapping stops. Records are done strictly from the front, `advance` is told
 * each time. What Lambda does when splits, quota and reported numbers meet is only partly documented; here: a reported number in the
 * middle starts the quota anew for the rest; a thrown error splits (if asked to) before it counts.
 */
export async function processBatch(
  world: MappingWorld,
  batch: readonly DeliveredRecord[],
  advance: (done: DeliveredRecord) => void,
  tries: Tries = FIRST,
): Promise<void> {
  const { settings, clock, signal } = world;
  let rest = batch;
  let { failures, invocations, threw } = tries;
  const shorten = (count: number) => {
    if (count > 0) advance(rest[count - 1]!);
    rest = rest.slice(count);
  };
  while (!signal.aborted) {
    const aged = countAged(world, rest);
    if (aged > 0) {
      await discard(world, rest.slice(0, aged), "RecordAgeExceeded", { failures, invocations, threw });
      if (signal.aborted) return;
      shorten(aged);
    }
    if (rest.length === 0) return;

    const verdict = await attempt(world, rest);
    if (signal.aborted && verdict.kind !== "done") return;
    if (verdict.kind === "done") {
      shorten(rest.length);
      return;
    }
    if (verdict.kind !== "throttled") {
      if (verdict.kind === "partial" && verdict.done > 0) {
        ({ failures, invocations } = FIRST);
        shorten(verdict.done);
      }
      invocations += 1;
      threw = verdict.kind === "failed" && verdict.threw;
      if (verdict.kind === "failed" && settings.bisectBatchOnFunctionError && rest.length > 1) {
        const middle = rest.length >> 1;
        const inherited = { failures, invocations, threw };
        await processBatch(world, rest.slice(0, middle), advance, inherited);
        return processBatch(world, rest.slice(middle), advance, inherited);
      }
      failures += 1;
      if (settings.maximumRetryAttempts >= 0 && failures > settings.maximumRetryAttempts) {
        await discard(world, rest, "RetryAttemptsExhausted", { failures, invocations, threw });
        if (!signal.aborted) shorten(rest.length);
        return;
      }
    }
    await clock.sleep(backoff(settings.backoffMs, failures), signal);
  }
}

type Attempt = Exclude<Verdict, { kind: "failed" }> | { kind: "failed"; threw: boolean } | { kind: "throttled" };

/** A refusal before the function ran is not a failure of it: it costs no quota. */
async function attempt({ invoke, settings }: MappingWorld, records: readonly DeliveredRecord[]): Promise<Attempt> {
  let response: unknown;
  try {
    response = await invoke({ Records: records });
  } catch (error) {
    if ((error as Error)?.name === "TooManyRequestsException") return { kind: "throttled" };
    return { kind: "failed", threw: true };
  }
  if (!settings.reportBatchItemFailures) return { kind: "done" };
  const verdict = judgeResponse(response, records);
  return verdict.kind === "failed" ? { kind: "failed", threw: false } : verdict;
}

function countAged({ settings, clock }: MappingWorld, records: readonly DeliveredRecord[]): number {
  if (settings.maximumRecordAgeMs < 0) return 0;
  const oldest = clock.now() - settings.maximumRecordAgeMs;
  const young = records.findIndex((record) => arrivalOf(record) >= oldest);
  return young < 0 ? records.length : young;
}

async function discard(
  world: MappingWorld,
  records: readonly DeliveredRecord[],
  reason: DiscardReason,
  { invocations, threw }: Tries,
): Promise<void> {
  const { functionArn, clock, signal, settings } = world;
  const record: FailureRecord = failureRecord({
    records,
    reason,
    invokeCount: invocations,
    threw,
    functionArn,
    now: clock.now(),
  });
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await world.onFailure(record);
      return;
    } catch (error) {
      world.onError(error);
      await clock.sleep(backoff(settings.backoffMs, failures), signal);
    }
  }
}

export const backoff = (baseMs: number, failures: number): number =>
  baseMs * Math.min(2 ** Math.max(0, failures - 1), MAX_BACKOFF_FACTOR);
