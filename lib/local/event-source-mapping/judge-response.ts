import { type DeliveredRecord, sequenceOf } from "./event-record.js";

/** How many records of the batch, from its front, are done. Failed: none, and the response does not say where. */
export type Verdict =
  | { readonly kind: "done" }
  | { readonly kind: "partial"; readonly done: number }
  | { readonly kind: "failed" };

/**
 * The rules of ReportBatchItemFailures: nothing, null or an empty list is success; else everything from the lowest reported number is
 * to come again; an identifier that is empty, misnamed or not of this batch fails the whole batch.
 */
export function judgeResponse(response: unknown, records: readonly DeliveredRecord[]): Verdict {
  const failures = (response as { batchItemFailures?: unknown } | null | undefined)?.batchItemFailures;
  if (failures === undefined || failures === null) return { kind: "done" };
  if (!Array.isArray(failures)) return { kind: "failed" };
  if (failures.length === 0) return { kind: "done" };
  const places = new Map(records.map((record, index) => [sequenceOf(record), index]));
  let lowest = records.length;
  for (const failure of failures as readonly { itemIdentifier?: unknown }[]) {
    const place = places.get(failure?.itemIdentifier as string);
    if (place === undefined) return { kind: "failed" };
    lowest = Math.min(lowest, place);
  }
  return { kind: "partial", done: lowest };
}
