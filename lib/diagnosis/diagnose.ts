import { commitContention, nearTimeout, publishingBehind } from "./capacity.js";
import { clockAhead } from "./clock-ahead.js";
import type { Finding, Symptoms } from "./finding.js";
import { frozenWatermark } from "./frozen-watermark.js";
import { lateStep, wakingPartition } from "./late-rows.js";
import { malformedShare, noInput, poisonRecord } from "./records.js";
import { stateGrows } from "./state-grows.js";

const SIGNATURES: readonly ((symptoms: Symptoms) => readonly Finding[])[] = [
  poisonRecord,
  clockAhead,
  frozenWatermark,
  wakingPartition,
  lateStep,
  stateGrows,
  malformedShare,
  publishingBehind,
  commitContention,
  nearTimeout,
  noInput,
];

/**
 * What is wrong with a query, told by its recent progress alone; errors first. Pure: the same symptoms, the same findings.
 *
 * @example diagnose({ progress: await recentProgress({ queryName: "page-views-5min" }), now: Date.now() })
 */
export function diagnose(symptoms: Symptoms): readonly Finding[] {
  if (symptoms.progress.length === 0) return [];
  const progress = [...symptoms.progress].sort((a, b) => a.batchId - b.batchId);
  const found = SIGNATURES.flatMap((signature) => signature({ ...symptoms, progress }));
  const rank = ({ severity }: Finding) => (severity === "error" ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b));
}
