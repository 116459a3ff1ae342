import type { Row } from "../plan/schema.js";
import { comparePartitions, type OutputName, type PublishIdentity, type Sink, staging } from "./sink.js";
import { stagedFor } from "./staged-for.js";
import { decodeRows, encodeRows } from "./staged-rows.js";

/** The rows of one output of one micro-batch. */
export interface PublishedBatch {
  readonly identity: PublishIdentity;
  readonly output: OutputName;
  readonly rows: readonly Row[];
}

/** A sink whose rows can be looked at; `output` is `result` by default. */
export interface MemorySink extends Sink {
  /** By partition and batch id, whatever the order of publication. */
  batches(output?: OutputName): readonly PublishedBatch[];
  /** Of all batches, in that order. */
  rows(output?: OutputName): readonly Row[];
  clear(): void;
}

/** Keeps what is published, once per identity, values as they were. For tests and notebooks. @example memorySink().rows("late") */
export function memorySink(): MemorySink {
  const published = new Map<
    string,
    Pick<PublishedBatch, "identity" | "output"> & { readonly parts: Map<number, readonly Row[]> }
  >();
  const batches = (output: OutputName = "result"): readonly PublishedBatch[] =>
    [...published.values()]
      .filter((batch) => batch.output === output)
      .map(({ identity, parts }) => ({
        identity,
        output,
        rows: [...parts].sort(([a], [b]) => a - b).flatMap(([, rows]) => rows),
      }))
      .sort(
        (a, b) =>
          comparePartitions(a.identity.partition, b.identity.partition) || a.identity.batchId - b.identity.batchId,
      );
  return {
    kind: "memory",
    stage: (batch) =>
      batch.rows.length === 0
        ? []
        : [{ output: batch.output, sink: "memory", ...staging(batch, false), bytes: encodeRows(batch.rows) }],
    publish: async (identity, parts) => {
      for (const { output, firstRow = 0, bytes } of stagedFor("memory", parts)) {
        const { query, incarnation, partition, batchId } = identity;
        const id = JSON.stringify([query, incarnation, partition, batchId, output]);
        const batch = published.get(id) ?? { identity, output, parts: new Map() };
        batch.parts.set(firstRow, decodeRows(bytes));
        published.set(id, batch);
      }
    },
    batches,
    rows: (output) => batches(output).flatMap((batch) => batch.rows),
    clear: () => published.clear(),
  };
}
