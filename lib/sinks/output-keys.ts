import { Buffer } from "node:buffer";
import { userError } from "../errors.js";
import type { OutputName, PublishIdentity } from "./sink.js";

/** Wide enough for every safe integer, so that keys sort as batches do. */
const BATCH_DIGITS = 16;
const PARTITION_DIGITS = 4;
/** More rows than a commit can hold. */
const ROW_DIGITS = 12;

/**
 * The one owner of output keys (DESIGN.md section 8):
 *
 *     <prefix>/<query>/<incarnation>/dt=YYYY-MM-DD/<partition>-<batchId>.jsonl.gz           results
 *     <prefix>/<query>/<incarnation>/dt=YYYY-MM-DD/<partition>-<batchId>-<row>.jsonl.gz     more of the same day: from which row on
 *     <prefix>/<query>.late/<incarnation>/dt=YYYY-MM-DD/<partition>-<batchId>.jsonl.gz      late rows; malformed likewise
 *
 * The side outputs stand beside the results and not below them: a reader of the results never sees them, and a lifecycle rule can name them.
 */
export function outputKey(
  prefix: string,
  identity: PublishIdentity,
  { output, dt, extension, firstRow }: OutputObject,
): string {
  const partition = String(identity.partition).padStart(PARTITION_DIGITS, "0");
  const batch = String(identity.batchId).padStart(BATCH_DIGITS, "0");
  const row = firstRow === 0 ? "" : `-${String(firstRow).padStart(ROW_DIGITS, "0")}`;
  return `${outputFolder(prefix, identity, output)}dt=${keySegment(dt)}/${partition}-${batch}${row}.${extension}`;
}

interface OutputObject {
  readonly output: OutputName;
  readonly dt: string;
  readonly extension: string;
  /** Of the rows of this output of the commit, the first that was staged with these. */
  readonly firstRow: number;
}

/** Everything that one incarnation of a query writes to one output stands under this, slash included. */
export function outputFolder(
  prefix: string,
  identity: Pick<PublishIdentity, "query" | "incarnation">,
  output: OutputName,
): string {
  const side = output === "result" ? "" : `.${output}`;
  return `${keyPrefix(prefix)}${keySegment(identity.query)}${side}/${keySegment(identity.incarnation)}/`;
}

/**
 * Letters, digits, `-` and `_` stand for themselves, every other byte as `~XX`: no name can reach another folder, and none
 * can end in `.late`.
 */
export const keySegment = (name: string): string =>
  name.replace(/[^A-Za-z0-9_-]/gu, (char) =>
    [...Buffer.from(char, "utf8")].map((byte) => `~${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );

/**
 * The prefix of the query's author, with exactly one slash at its end, or empty.
 * @throws `sink-prefix` for `.`, `..` and empty segments, and within the checkpoints, where a sweeper deletes what it does not know
 */
export function keyPrefix(prefix: string): string {
  const trimmed = prefix.replace(/^\/+|\/+$/g, "");
  if (trimmed === "") return "";
  const segments = trimmed.split("/");
  if (segments[0] === "checkpoints" || segments.some((segment) => ["", ".", ".."].includes(segment))) {
    throw userError(
      "sink-prefix",
      `'${prefix}' is no prefix of object keys.`,
      "Use names separated by single slashes, the first of them not checkpoints.",
    );
  }
  return `${trimmed}/`;
}
