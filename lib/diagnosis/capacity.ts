import type { Finding, Symptoms } from "./finding.js";
import { percent, total } from "./history.js";
import { REMEDIES } from "./remedies.js";

const RECENT = 10;
const NEAR = 0.8;
const WAITING = 8;

/** A recent batch took most of the time that its invocation had. */
export function nearTimeout({ progress }: Symptoms): readonly Finding[] {
  for (const { batchId, durationMs, timeAvailableMs } of progress.slice(-RECENT).reverse()) {
    const took = durationMs.triggerExecution ?? 0;
    if (typeof timeAvailableMs !== "number" || took < NEAR * timeAvailableMs) continue;
    return [
      {
        signature: "near-timeout",
        severity: "warning",
        subject: null,
        evidence: `Batch ${batchId} took ${took} ms of the ${timeAvailableMs} ms that its invocation had (${percent(took / timeAvailableMs)}).`,
        remedy: REMEDIES["near-timeout"],
      },
    ];
  }
  return [];
}

/** The last batches were each redone more than once. */
export function commitContention({ progress }: Symptoms): readonly Finding[] {
  const recent = progress.slice(-RECENT);
  const conflicts = total(recent, (each) => each.conflicts);
  if (recent.length < RECENT || conflicts < recent.length) return [];
  return [
    {
      signature: "commit-contention",
      severity: "warning",
      subject: null,
      evidence: `The last ${recent.length} batches lost ${conflicts} races for their commit and were redone each time.`,
      remedy: REMEDIES["commit-contention"],
    },
  ];
}

/** Committed output waits to be published, and the heap does not shrink. */
export function publishingBehind({ progress }: Symptoms): readonly Finding[] {
  const waiting = progress.slice(-3).map(({ unpublishedBatches = 0 }) => unpublishedBatches);
  const now = waiting.at(-1)!;
  if (now < WAITING || now < waiting[0]!) return [];
  return [
    {
      signature: "publishing-behind",
      severity: now >= 4 * WAITING ? "error" : "warning",
      subject: null,
      evidence: `The output of ${now} committed batches is not published yet; the checkpoint keeps at most 64.`,
      remedy: REMEDIES["publishing-behind"],
    },
  ];
}
