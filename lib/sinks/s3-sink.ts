import { externalError } from "../errors.js";
import { gzip } from "./gzip.js";
import { jsonLines } from "./json-lines.js";
import { keyPrefix, outputKey } from "./output-keys.js";
import { rowsByDay } from "./rows-by-day.js";
import type { OutboxPart, PublishIdentity, Sink } from "./sink.js";

/** The part of an object store that a sink needs; `checkpoint/object-store` fits. */
export interface ObjectWriter {
  put(key: string, bytes: Uint8Array, options?: { readonly contentType?: string }): Promise<void>;
}

export interface S3SinkOptions {
  readonly store: ObjectWriter;
  /** Object keys begin with it. */
  readonly prefix: string;
}

/**
 * Gzipped JSON lines, one object per micro-batch and day. Exactly once: the key holds the identity and the bytes were final before the
 * commit, so that publishing again puts the same object over itself.
 */
export function s3Sink({ store, prefix }: S3SinkOptions): Sink {
  const root = keyPrefix(prefix);
  return {
    kind: "s3",
    stage: (batch) =>
      rowsByDay(batch).map(([dt, rows]) => ({
        output: batch.output,
        sink: "s3",
        dt,
        bytes: gzip(jsonLines(rows, batch.schema)),
      })),
    publish: (identity, parts) => putParts(store, root, identity, parts),
  };
}

async function putParts(
  store: ObjectWriter,
  prefix: string,
  identity: PublishIdentity,
  parts: readonly OutboxPart[],
): Promise<void> {
  const objects = parts.map((part) => ({
    key: outputKey(prefix, identity, part.output, part.dt ?? "none", "jsonl.gz"),
    bytes: part.bytes,
  }));
  try {
    await Promise.all(objects.map(({ key, bytes }) => store.put(key, bytes, { contentType: "application/gzip" })));
  } catch (cause) {
    throw externalError(
      "sink-unavailable",
      `Writing ${objects.length} objects of batch ${identity.batchId} failed.`,
      "It is tried again from the checkpoint; if it stays, check the bucket and the function's permission s3:PutObject.",
      cause,
    );
  }
}
