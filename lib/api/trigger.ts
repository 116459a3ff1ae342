import { userError } from "../errors.js";
import { parseDelay } from "../time/duration.js";

/** When a deployed query runs a micro-batch. */
export interface Trigger {
  /**
   * Records are gathered for so long before they are one micro-batch, unless 10,000 of them or 6 MB come sooner: the batching window of
   * the event source mapping. Whole seconds, at most "5 minutes"; "10 seconds" by default.
   */
  readonly processingTime: string;
}

const LONGEST_MS = 300_000;

/** Spark's triggers that have no meaning here, and what has. */
const INSTEAD: Readonly<Record<string, string>> = {
  availableNow:
    "Run what is there with `tidemark run`, which ends when it has read it; a deployed query waits for more.",
  once: "Run what is there with `tidemark run`, which ends when it has read it; a deployed query waits for more.",
  continuous: "Write { processingTime: '1 second' }: every micro-batch is exactly once.",
  realTime: "Write { processingTime: '0 seconds' }: a micro-batch runs as soon as records are read.",
};

/** The batching window in milliseconds. @throws `trigger-unsupported`, `invalid-interval` */
export function batchingWindowMs(trigger: Trigger): number {
  const names = Object.keys(trigger ?? {});
  const other = names.find((name) => name !== "processingTime");
  if (other !== undefined || typeof trigger.processingTime !== "string")
    throw userError(
      "trigger-unsupported",
      `The trigger ${JSON.stringify(trigger)} is not one that a deployed query has.`,
      INSTEAD[other ?? ""] ?? "Write { processingTime: '10 seconds' }.",
    );
  const ms = parseDelay(trigger.processingTime);
  if (ms <= LONGEST_MS && ms % 1000 === 0) return ms;
  throw userError(
    "trigger-unsupported",
    `Records cannot be gathered for '${trigger.processingTime}' on Lambda.`,
    "Give whole seconds, at most 5 minutes.",
  );
}
