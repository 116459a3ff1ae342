import type { FailedRecord, Finding, Symptoms } from "./finding.js";
import { at, MINUTE, percent, span, total } from "./history.js";
import { REMEDIES } from "./remedies.js";

const REPEATS = 3;
const RECENT = 10;
const SILENCE_MS = 15 * MINUTE;

/** The same record fails again and again: its shard stands at it. */
export function poisonRecord({ failedRecords = [] }: Symptoms): readonly Finding[] {
  const name = ({ source, shard, sequence }: FailedRecord) => JSON.stringify([source, shard, sequence]);
  const last = failedRecords.at(-1);
  if (last === undefined) return [];
  const times = failedRecords.filter((each) => name(each) === name(last)).length;
  if (times < REPEATS) return [];
  const { source, shard, sequence } = last;
  return [
    {
      signature: "poison-record",
      severity: "error",
      subject: `${source}/${shard}`,
      evidence: `A user function threw ${times} times at record ${sequence} of ${source}/${shard}, and the shard stands there.`,
      remedy: REMEDIES["poison-record"],
    },
  ];
}

export function malformedShare({ progress }: Symptoms): readonly Finding[] {
  const recent = progress.slice(-RECENT);
  const malformed = total(recent, (each) => each.malformedRows);
  const records = total(recent, (each) => each.malformedRows + each.decodedRecords);
  if (malformed < RECENT || malformed < records / 100) return [];
  return [
    {
      signature: "malformed-share",
      severity: malformed * 2 >= records ? "error" : "warning",
      subject: null,
      evidence: `${malformed} of the last ${records} records (${percent(malformed / records)}) are malformed.`,
      remedy: REMEDIES["malformed-share"],
    },
  ];
}

/** Nothing was committed for a quarter of an hour and for five times the longest gap between the last batches. */
export function noInput({ progress, now }: Symptoms): readonly Finding[] {
  const last = progress.at(-1)!;
  const gaps = progress.slice(1).map((each, index) => at(each) - at(progress[index]!));
  const silence = now - at(last);
  if (silence < Math.max(SILENCE_MS, 5 * Math.max(0, ...gaps))) return [];
  return [
    {
      signature: "no-input",
      severity: "warning",
      subject: null,
      evidence: `Nothing was committed for ${span(silence)}; the last batch was ${last.batchId}.`,
      remedy: REMEDIES["no-input"],
    },
  ];
}
