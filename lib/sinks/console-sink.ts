import { Buffer } from "node:buffer";
import { jsonLines } from "./json-lines.js";
import { type Sink, staging } from "./sink.js";
import { stagedFor } from "./staged-for.js";

/** Prints rows as JSON lines under a header per batch and output. At least once: what is published again is printed again. */
export function consoleSink(write: (text: string) => void): Sink {
  return {
    kind: "console",
    stage: (batch) =>
      batch.rows.length === 0
        ? []
        : [
            {
              output: batch.output,
              sink: "console",
              ...staging(batch, false),
              bytes: jsonLines(batch.rows, batch.schema),
            },
          ],
    publish: async (identity, parts) => {
      for (const part of stagedFor("console", parts)) {
        write(
          `-- ${identity.query} batch ${identity.batchId} ${part.output}\n${Buffer.from(part.bytes).toString("utf8")}`,
        );
      }
    },
  };
}
