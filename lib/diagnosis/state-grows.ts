import type { QueryProgress } from "../runtime/progress.js";
import type { Finding, Symptoms } from "./finding.js";
import { total } from "./history.js";
import { REMEDIES } from "./remedies.js";

const BATCHES = 8;
const FEW = 20;

const WHY: Readonly<Record<string, string>> = {
  "complete-mode": "complete mode keeps every group",
  "join-unbounded": "no bound on the times lets the join forget a row",
  "aggregate-unbounded": "no watermark passes its groups",
  "dedup-unbounded": "the event time is not among its keys",
};

/** Rows are added batch after batch and none was ever removed, and there is a reason: nothing may remove them, or the watermark does not move. */
export function stateGrows({ progress }: Symptoms): readonly Finding[] {
  const batches = progress.filter(({ numInputRows }) => numInputRows > 0);
  if (batches.length < BATCHES) return [];
  const [first, middle, last] = [batches[0]!, batches[batches.length >> 1]!, batches.at(-1)!];
  const neverEvicts = last.neverEvicts ?? [];
  const stands = last.eventTime.watermark === first.eventTime.watermark;
  if (neverEvicts.length === 0 && !stands) return [];
  return last.stateOperators.flatMap(({ operatorId }): readonly Finding[] => {
    const rows = (each: QueryProgress) => operator(each, operatorId)?.numRowsTotal ?? 0;
    const removed = total(progress, (each) => operator(each, operatorId)?.numRowsRemoved ?? 0);
    const grown = rows(last) - rows(first);
    const grows = rows(middle) > rows(first) && rows(last) > rows(middle);
    if (removed > 0 || !grows || grown < FEW) return [];
    const why =
      neverEvicts.length > 0
        ? neverEvicts.map((code) => WHY[code] ?? code).join(", and ")
        : `the watermark stands at ${last.eventTime.watermark ?? "none"}`;
    return [
      {
        signature: "state-grows",
        severity: "warning",
        subject: operatorId,
        evidence: `${operatorId} grew by ${grown} to ${rows(last)} rows in ${batches.length} batches and removed none: ${why}.`,
        remedy: REMEDIES["state-grows"],
      },
    ];
  });
}

const operator = ({ stateOperators }: QueryProgress, id: string) =>
  stateOperators.find(({ operatorId }) => operatorId === id);
