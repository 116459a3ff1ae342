import { gunzipSync } from "node:zlib";
import { userError } from "../errors.js";
import type { Row, Schema } from "../plan/schema.js";
import { compileRowDecoder } from "./row-decoder.js";

/** What a table may come to once unpacked: it is held in memory by every environment. */
const MAX_TABLE_BYTES = 64 * 1_048_576;

/**
 * The rows of a fixed table in JSON lines, gzipped or not. Unlike a record of a stream, a row that does not fit the schema stops
 * the query: a join against half a table is a wrong answer.
 * @throws `table-row`, `table-too-large`
 */
export function jsonLinesRows(name: string, bytes: Uint8Array, schema: Schema): readonly Row[] {
  const text = Buffer.from(bytes[0] === 0x1f && bytes[1] === 0x8b ? unpack(name, bytes) : bytes).toString("utf8");
  return decodeTableRows(
    name,
    text.split("\n").filter((line) => line.trim() !== ""),
    schema,
  );
}

/** Rows given as one JSON object each. */
export function decodeTableRows(name: string, lines: readonly string[], schema: Schema): readonly Row[] {
  const decode = compileRowDecoder(schema);
  return lines.map((line, at) => {
    const decoded = decode(Buffer.from(line, "utf8"));
    if ("row" in decoded) return Object.freeze(decoded.row);
    throw tableRow(name, at, decoded.detail);
  });
}

export const tableRow = (name: string, at: number, detail: string) =>
  userError(
    "table-row",
    `Row ${at + 1} of the table "${name}" does not fit its schema: ${detail}.`,
    "Correct the row, or declare the column as it is.",
  );

function unpack(name: string, bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_TABLE_BYTES });
  } catch (cause) {
    throw userError(
      "table-too-large",
      `The table "${name}" is no gzip, or unpacks to more than ${MAX_TABLE_BYTES} bytes.`,
      "Keep fixed tables small, or join two streams.",
      cause,
    );
  }
}
