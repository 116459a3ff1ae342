import { foreachBatchSink } from "../../../lib/sinks/foreach-batch-sink.js";
import { decodeRows } from "../../../lib/sinks/staged-rows.js";
import type { Judge } from "../violation.js";
import type { Outputs } from "./outputs.js";

/** The user's function sees every batch at least once, and always the same. */
export function foreachBatchOutputs(judge: Judge): Outputs {
  const calls = new Map<string, string>();
  const idOf = ({ incarnation, batchId }: { readonly incarnation: string; readonly batchId: number }) =>
    `${incarnation}/${batchId}`;

  return {
    sink: (network) =>
      foreachBatchSink((rows, identity) =>
        network.call(`foreachBatch ${identity.batchId}`, async () => {
          const text = JSON.stringify(rows);
          const before = calls.get(idOf(identity));
          judge.check(
            before === undefined || before === text,
            "identical-on-repeat",
            () => `batch ${idOf(identity)} was handed over twice with other rows`,
          );
          calls.set(idOf(identity), text);
        }),
      ),
    rowsOf: ({ bytes }) => decodeRows(bytes),
    missing(identity, parts) {
      const rows = parts.flatMap(({ bytes }) => decodeRows(bytes));
      if (rows.length === 0) return null;
      const text = calls.get(idOf(identity));
      if (text === undefined) return `batch ${idOf(identity)}`;
      judge.check(text === JSON.stringify(rows), "identical-on-repeat", () => `batch ${idOf(identity)} has other rows`);
      return null;
    },
  };
}
