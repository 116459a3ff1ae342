import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import type { Row } from "../../../lib/plan/schema.js";
import { jsonLines } from "../../../lib/sinks/json-lines.js";
import { outputKey } from "../../../lib/sinks/output-keys.js";
import { s3Sink } from "../../../lib/sinks/s3-sink.js";
import type { OutboxPart, PublishIdentity } from "../../../lib/sinks/sink.js";
import type { Judge } from "../violation.js";
import type { Outputs } from "./outputs.js";

const PLAIN = { extension: "jsonl", contentType: "application/x-ndjson", encode: jsonLines };
const GZIP_MAGIC = 0x1f;

/** Objects that are put again over themselves. */
export function s3Outputs(judge: Judge): Outputs {
  const written = new Map<string, Uint8Array>();

  const put = async (key: string, bytes: Uint8Array): Promise<void> => {
    const standing = written.get(key);
    judge.check(
      standing === undefined || Buffer.compare(standing, bytes) === 0,
      "identical-on-repeat",
      () => `${key} was written twice with other bytes`,
    );
    written.set(key, bytes);
  };
  const keyOf = (identity: PublishIdentity, { output, dt, firstRow = 0 }: OutboxPart) =>
    outputKey("out", identity, { output, dt: dt!, extension: output === "result" ? "jsonl" : "jsonl.gz", firstRow });

  return {
    sink: (network) =>
      s3Sink({
        store: { put: (key, bytes) => network.call(`put ${key}`, () => put(key, bytes)) },
        prefix: "out",
        format: PLAIN,
      }),
    rowsOf({ bytes }) {
      const text = Buffer.from(bytes[0] === GZIP_MAGIC ? gunzipSync(bytes) : bytes).toString();
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Row);
    },
    missing(identity, parts) {
      for (const part of parts) {
        const key = keyOf(identity, part);
        const bytes = written.get(key);
        if (bytes === undefined) return key;
        judge.check(
          Buffer.compare(bytes, part.bytes) === 0,
          "identical-on-repeat",
          () => `${key} is not what batch ${identity.batchId} committed`,
        );
      }
      return null;
    },
  };
}
