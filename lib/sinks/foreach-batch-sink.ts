import { externalError, TidemarkError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import { piecesOf } from "./pieces.js";
import { type PublishIdentity, type Sink, staging } from "./sink.js";
import { stagedFor } from "./staged-for.js";
import { decodeRows, encodeRows } from "./staged-rows.js";

/** May run twice, even concurrently and late, always with the same rows under the same identity: make it idempotent by that identity. */
export type ForeachBatch = (rows: readonly Row[], identity: CallIdentity) => void | Promise<void>;

/** `part`: only with `maxRowsPerCall`; the index of the call's first row in its commit. */
export type CallIdentity = PublishIdentity & { readonly part?: number };

interface ForeachBatchOptions {
  /** Absent: one call per commit, however many rows it has. */
  readonly maxRowsPerCall?: number | undefined;
}

/**
 * Calls a function once per commit that has rows, after the commit. What it throws is tried again, and until it succeeds nothing after it
 * is published: the source waits. A second call under one identity would be swallowed by whoever dedupes by it, so a commit is one call,
 * and one step, unless its author asked for several (rule A11).
 */
export function foreachBatchSink(call: ForeachBatch, { maxRowsPerCall }: ForeachBatchOptions = {}): Sink {
  return {
    kind: "foreachBatch",
    ...(maxRowsPerCall === undefined ? { wholeCommit: true as const } : {}),
    stage: (batch) =>
      piecesOf(batch.rows, maxRowsPerCall ?? Math.max(1, batch.rows.length)).map((rows, at) => ({
        output: batch.output,
        sink: "foreachBatch",
        ...staging({ firstRow: (batch.firstRow ?? 0) + at * (maxRowsPerCall ?? 0) }, false),
        bytes: encodeRows(rows),
      })),
    publish: async (identity, parts) => {
      const rows = stagedFor("foreachBatch", parts).flatMap((part) => decodeRows(part.bytes));
      if (rows.length === 0) return;
      const part = parts[0]?.firstRow ?? 0;
      try {
        await call(rows, maxRowsPerCall === undefined ? identity : { ...identity, part });
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
