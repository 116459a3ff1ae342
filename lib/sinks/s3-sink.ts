import { externalError } from "../errors.js";
import { inParallel } from "./in-parallel.js";
import { JSON_LINES, type OutputFormat } from "./output-format.js";
import { keyPrefix, outputKey } from "./output-keys.js";
import { rowsByDay } from "./rows-by-day.js";
import { type OutputName, type Sink, staging } from "./sink.js";
import { stagedFor } from "./staged-for.js";

/** The part of an object store that a sink needs; `checkpoint/object-store` fits. */
export interface ObjectWriter {
  put(key: string, bytes: Uint8Array, options?: { readonly contentType?: string }): Promise<void>;
}

export interface S3SinkOptions {
  readonly store: ObjectWriter;
  /** Object keys begin with it. */
  readonly prefix: string;
  /** JSON lines by default. Results only: late rows and malformed records are always JSON lines. */
  readonly format?: OutputFormat;
}

/** Puts under way at once per publish: a batch whose rows lie on many days has as many objects. */
const CONCURRENCY = 16;

/** Of one step: a second's worth of puts at 20 ms each (rule A10). */
const OBJECTS_PER_STEP = 500;

/**
 * One object per micro-batch and day, and more of a day with much output: 4 MB of rows each. Exactly once: the key holds the identity and the bytes were final before the
 * commit, so that publishing again puts the same object over itself.
 */
export function s3Sink({ store, prefix, format = JSON_LINES }: S3SinkOptions): Sink {
  const root = keyPrefix(prefix);
  const formatOf = (output: OutputName) => (output === "result" ? format : JSON_LINES);
  return {
    kind: "s3",
    stage: (batch) =>
      rowsByDay(batch).map(([dt, rows], at) => ({
        output: batch.output,
        sink: "s3",
        dt,
        extension: formatOf(batch.output).extension,
        ...staging(batch, at % OBJECTS_PER_STEP > 0),
        bytes: formatOf(batch.output).encode(rows, batch.schema),
      })),
    publish: (identity, parts) =>
      putObjects(
        store,
        stagedFor("s3", parts).map(({ output, dt = "none", extension = JSON_LINES.extension, firstRow, bytes }) => ({
          key: outputKey(root, identity, { output, dt, extension, firstRow: firstRow ?? 0 }),
          bytes,
          contentType: extension === format.extension ? format.contentType : JSON_LINES.contentType,
        })),
      ),
  };
}

async function putObjects(
  store: ObjectWriter,
  objects: readonly { readonly key: string; readonly bytes: Uint8Array; readonly contentType: string }[],
): Promise<void> {
  try {
    await inParallel(objects, CONCURRENCY, ({ key, bytes, contentType }) => store.put(key, bytes, { contentType }));
  } catch (cause) {
    throw externalError(
      "sink-unavailable",
      `Writing ${objects.length} objects, from ${objects[0]?.key} on, failed.`,
      "It is tried again from the checkpoint; if it stays, check the bucket and the function's permission s3:PutObject.",
      cause,
    );
  }
}
