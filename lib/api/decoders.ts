import { Buffer, isUtf8 } from "node:buffer";
import { type CsvOptions, checkFileOptions } from "../plan/connectors/file-options.js";
import { CsvText, type Decode, Undecodable } from "../sources/decoded-values.js";
import { splitJsonArray } from "../sources/split-json-array.js";

/**
 * Records of several JSON objects, one on each line. Blank lines are left out.
 * @example kinesis({ stream: "views", schema: View, decode: jsonLines() })
 */
export const jsonLines = (): Decode => (bytes) =>
  textOf(bytes)
    .split("\n")
    .filter((line) => line.trim() !== "");

/** Records that are one JSON array of objects; one object alone is taken too. @example kinesis({ stream: "views", schema: View, decode: jsonArray() }) */
export const jsonArray = (): Decode => (bytes) => {
  const text = textOf(bytes).trim();
  if (!text.startsWith("[")) return text;
  const elements = splitJsonArray(text);
  if (elements === null) throw new Undecodable("the payload is no JSON array");
  return elements;
};

/**
 * Records of CSV, one row or several, by the options of Spark's reader. Without `header: true`, cells are the declared columns in their order.
 * @example kafka({ topic: "orders", schema: Order, decode: csv({ sep: ";", nullValue: "NA" }) })
 * @throws `option-unknown`, `option-invalid`, `time-pattern`
 */
export function csv(options: CsvOptions = {}): Decode {
  checkFileOptions(options);
  return (bytes) => new CsvText(textOf(bytes), options);
}

function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(buffer)) throw new Undecodable("not UTF-8");
  const text = buffer.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
