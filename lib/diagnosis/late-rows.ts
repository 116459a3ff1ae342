import type { QueryProgress } from "../runtime/progress.js";
import type { Finding, Symptoms } from "./finding.js";
import { at, MINUTE, percent, span, total } from "./history.js";
import { REMEDIES } from "./remedies.js";

const SILENCE_MS = 2 * MINUTE;
const FEW = 10;
const RECENT = 4;
const FACTOR = 5;

/** Most late rows of a recent batch come from one shard that had been silent before it. */
export function wakingPartition({ progress }: Symptoms): readonly Finding[] {
  for (let index = progress.length - 1; index >= Math.max(1, progress.length - RECENT); index--) {
    const batch = progress[index]!;
    const [shard, late] = Object.entries(batch.numLateInputRowsByShard ?? {})[0] ?? ["", 0];
    if (late < FEW || late * 2 < batch.numLateInputRows) continue;
    const silent = silenceBefore(progress.slice(0, index), shard, at(batch));
    if (silent < SILENCE_MS) continue;
    return [
      {
        signature: "waking-partition",
        severity: "warning",
        subject: shard,
        evidence: `${late} of the ${batch.numLateInputRows} late rows of batch ${batch.batchId} came from ${shard}, which had been silent for at least ${span(silent)}.`,
        remedy: REMEDIES["waking-partition"],
      },
    ];
  }
  return [];
}

function silenceBefore(before: readonly QueryProgress[], shard: string, now: number): number {
  const spoke = before.findLast(({ sources }) => sources.some(({ endOffset }) => shard in endOffset));
  const since = spoke ?? before[0];
  return since === undefined ? 0 : now - at(since);
}

interface LateShares {
  readonly before: number;
  readonly recent: number;
  readonly late: number;
  /** Of the two; a share of before below a ten-thousandth counts as that. */
  readonly factor: number;
}

/** The share of late rows in the last batches and before them; null: too few batches or late rows to say. */
export function lateShares(progress: readonly QueryProgress[]): LateShares | null {
  if (progress.length < 3 * RECENT) return null;
  const share = (batches: readonly QueryProgress[]) => {
    const rows = total(batches, (each) => each.numInputRows);
    return rows === 0 ? 0 : total(batches, (each) => each.numLateInputRows) / rows;
  };
  const last = progress.slice(-RECENT);
  const [before, recent] = [share(progress.slice(0, -RECENT)), share(last)];
  const late = total(last, (each) => each.numLateInputRows);
  return late < FEW ? null : { before, recent, late, factor: recent / Math.max(before, 1e-4) };
}

/** The share of late rows in the last batches is a multiple of what it was before. */
export function lateStep({ progress }: Symptoms): readonly Finding[] {
  const shares = lateShares(progress);
  if (shares === null || shares.recent < 0.01 || shares.factor < FACTOR) return [];
  const { before, recent, late } = shares;
  return [
    {
      signature: "late-step",
      severity: "warning",
      subject: null,
      evidence: `${percent(recent)} of the rows of the last ${RECENT} batches are late (${late}), before it was ${percent(before)}.`,
      remedy: REMEDIES["late-step"],
    },
  ];
}
