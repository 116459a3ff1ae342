import { Buffer } from "node:buffer";
import { userError } from "../errors.js";
import type { SourceNode } from "../plan/logical-plan.js";
import { DEFAULT_LIMITS } from "../sources/decode-limits.js";
import { linesOf } from "../sources/file-lines.js";
import { bytesOf } from "../sources/files.js";
import type { Inputs } from "./inputs.js";

/** Columns of the late output that no event has by chance. */
const MARKS = ["lateByMs", "missedWindows", "operator", "row"];

/**
 * A late output looks like a file of events, and every column of the events would be NULL in it.
 * @throws `late-output-as-input` unless the source declares these columns
 */
export async function refuseLateOutput(inputs: Inputs, sources: readonly SourceNode[]): Promise<void> {
  for (const { name, schema } of sources) {
    if (schema.fields.some((field) => field.name === "missedWindows")) continue;
    for (const path of inputs.get(name) ?? []) {
      if (path === "-" || /\.(csv|parquet)(\.gz)?$/i.test(path) || !(await beginsWithLateRow(path))) continue;
      throw userError(
        "late-output-as-input",
        `'${path}' holds late rows as a query wrote them, not events.`,
        "Fold them into the results with tidemark late replay; or unwrap them, as with jq -c .row, and run that file.",
      );
    }
  }
}

async function beginsWithLateRow(path: string): Promise<boolean> {
  try {
    for await (const line of linesOf(bytesOf(path), DEFAULT_LIMITS.maxBytes)) {
      const found: unknown = JSON.parse(Buffer.from(line).toString("utf8"));
      return typeof found === "object" && found !== null && MARKS.every((mark) => mark in found);
    }
  } catch {
    // What cannot be read is for the run to report.
  }
  return false;
}
