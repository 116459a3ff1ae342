import { userError } from "../../errors.js";
import { isInstant, LAST_EVENT_TIME, type Micros, NO_WATERMARK, toMicros } from "../../time/event-time.js";
import type { PassContext } from "../operator.js";
import type { GroupState } from "./group-state.js";
import { copyStored } from "./stored-value.js";

/** What is stored of a group. No `state`: it has none, and waits for its timeout. */
export interface StoredGroup {
  readonly state?: unknown;
  readonly timeout: Micros | null;
}

/** A group during one call, and what the call left: `timeout` is cleared unless the call set it. */
interface OpenGroup {
  readonly handle: GroupState<unknown>;
  readonly left: { state: unknown; timeout: Micros | null; updated: boolean; removed: boolean };
}

export type TimeoutMode = "none" | "eventTime" | "processingTime";

/** The handle is good for one call; `stored` is not changed. */
export function openGroupState(
  stored: StoredGroup | undefined,
  pass: PassContext,
  mode: TimeoutMode,
  hasTimedOut: boolean,
): OpenGroup {
  const left: OpenGroup["left"] = { state: stored?.state, timeout: null, updated: false, removed: false };
  const handle: GroupState<unknown> = {
    get exists() {
      return left.state !== undefined;
    },
    hasTimedOut,
    get() {
      if (left.state !== undefined) return copyStored(left.state);
      throw userError("state-missing", "The group has no state.", "Look at exists first, or use getOption().");
    },
    getOption: () => (left.state === undefined ? null : copyStored(left.state)),
    update(value) {
      left.state = copyStored(value);
      left.updated = true;
      left.removed = false;
    },
    remove() {
      left.state = undefined;
      left.updated = false;
      left.removed = true;
    },
    setTimeoutTimestamp(timestampMs) {
      requireMode(mode, "eventTime", "setTimeoutTimestamp");
      left.timeout = requireTime(timestampMs);
      const watermark = pass.watermarkForEviction;
      // Nothing comes after a drain, so there is nothing to refuse.
      if (timestampMs > watermark || watermark > LAST_EVENT_TIME) return;
      throw userError(
        "timeout-in-the-past",
        `A timeout at ${timestampMs} is not after the watermark ${watermark}.`,
        "Set timeouts after getCurrentWatermarkMs().",
      );
    },
    setTimeoutDuration(durationMs) {
      requireMode(mode, "processingTime", "setTimeoutDuration");
      if (!(durationMs > 0)) {
        throw userError("timeout-in-the-past", `A timeout of ${durationMs} ms is none.`, "Give a positive duration.");
      }
      left.timeout = requireTime(pass.processingTime + durationMs);
    },
    getCurrentWatermarkMs: () => (pass.watermarkForEviction === NO_WATERMARK ? null : pass.watermarkForEviction),
    getCurrentProcessingTimeMs: () => pass.processingTime,
  };
  return { handle, left };
}

function requireMode(mode: TimeoutMode, needed: TimeoutMode, call: string): void {
  if (mode === needed) return;
  throw userError(
    "timeout-mode",
    `${call} needs the time mode "${needed}", and it is "${mode}".`,
    "Choose the time mode that the function uses.",
  );
}

function requireTime(timeMs: number): Micros {
  if (isInstant(timeMs)) return toMicros(timeMs);
  throw userError("timer-invalid", `A timeout at ${timeMs} is no time.`, "Set a timeout at epoch milliseconds.");
}
