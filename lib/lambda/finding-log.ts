import { diagnose } from "../diagnosis/diagnose.js";
import type { FailedRecord, Finding } from "../diagnosis/finding.js";
import { lateShares } from "../diagnosis/late-rows.js";
import type { StreamingQuery } from "../runtime/streaming-query.js";

/** A look reads the ring's 64 slots, so not every tick takes one. */
const EVERY_MS = 5 * 60_000;
const FAILED_KEPT = 20;

export interface Look {
  readonly findings: readonly Finding[];
  /** Those that the look before this one did not have. */
  readonly fresh: readonly Finding[];
  /** By how much the share of late rows has grown in the last batches; 0: too few of them to say. */
  readonly lateRowsFactor: number;
}

/** What `tidemark doctor` would say, looked up by the ticks of one environment. */
interface FindingLog {
  failed(record: FailedRecord): void;
  /** Null: the last look was not long ago. */
  look(query: Pick<StreamingQuery, "recentProgress">, now: number): Promise<Look | null>;
}

export function findingLog(): FindingLog {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let standing = new Set<string>();
  const failedRecords: FailedRecord[] = [];
  return {
    failed(record) {
      failedRecords.push(record);
      if (failedRecords.length > FAILED_KEPT) failedRecords.shift();
    },
    async look(query, now) {
      if (now - lookedAt < EVERY_MS) return null;
      lookedAt = now;
      const progress = await query.recentProgress();
      const findings = diagnose({ progress, now, failedRecords });
      const before = standing;
      standing = new Set(findings.map(nameOf));
      const shares = lateShares(progress);
      return {
        findings,
        fresh: findings.filter((finding) => !before.has(nameOf(finding))),
        lateRowsFactor: shares === null ? 0 : Math.round(shares.factor * 10) / 10,
      };
    },
  };
}

const nameOf = ({ signature, subject }: Finding): string => JSON.stringify([signature, subject]);
