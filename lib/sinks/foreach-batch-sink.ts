import { externalError, TidemarkError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import type { PublishIdentity, Sink } from "./sink.js";
import { stagedFor } from "./staged-for.js";
import { decodeRows, encodeRows } from "./staged-rows.js";

/** May run twice, even concurrently and late, always with the same rows under the same identity: make it idempotent by that identity. */
export type ForeachBatch = (rows: readonly Row[], identity: PublishIdentity) => void | Promise<void>;

/**
 * Calls a function once per commit that has rows, after the commit. What it throws is tried again, and until it succeeds nothing after it
 * is published: the source waits.
 */
export function foreachBatchSink(call: ForeachBatch): Sink {
  return {
    kind: "foreachBatch",
    stage: (batch) =>
      batch.rows.length === 0 ? [] : [{ output: batch.output, sink: "foreachBatch", bytes: encodeRows(batch.rows) }],
    publish: async (identity, parts) => {
      const rows = stagedFor("foreachBatch", parts).flatMap((part) => decodeRows(part.bytes));
      if (rows.length === 0) return;
      try {
        await call(rows, identity);
      } catch (cause) {
        if (cause instanceof TidemarkError) throw cause;
        throw externalError(
          "foreach-batch-failed",
          `The foreachBatch function failed on batch ${identity.batchId}.`,
          "It is called again with the same rows; repair the function or what it calls.",
          cause,
        );
      }
    },
  };
}
