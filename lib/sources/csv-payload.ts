import { Buffer } from "node:buffer";
import type { DataType, Schema } from "../plan/schema.js";
import type { CsvCell } from "./csv.js";
import { jsonPayload } from "./json-payload.js";

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A row under its header as the JSON that the decoder reads. A cell that is empty and not quoted is null; numbers and booleans stand as such
 * where the column is declared so, arrays and structs as JSON; everything else is a string. A row with more cells than the header
 * goes on as text, which is no JSON object: the malformed output gets it.
 */
export function csvPayload(header: readonly string[], cells: readonly CsvCell[], schema: Schema): Uint8Array {
  if (cells.length > header.length) {
    return Buffer.from(cells.map(({ text, quoted }) => (quoted ? JSON.stringify(text) : text)).join(","), "utf8");
  }
  return jsonPayload(
    cells.map((cell, at) => {
      const name = header[at] as string;
      const field = schema.fields.find((candidate) => candidate.name === name);
      return [name, cellJson(cell, field?.type ?? "string")] as const;
    }),
  );
}

function cellJson({ text, quoted }: CsvCell, type: DataType): string {
  if (text === "" && !quoted) return "null";
  if (typeof type === "object") return isJson(text) ? text : JSON.stringify(text);
  switch (type) {
    case "long":
    case "int":
    case "double":
    case "timestamp":
      return JSON_NUMBER.test(text) ? text : JSON.stringify(text);
    case "boolean":
      return /^(true|false)$/i.test(text) ? text.toLowerCase() : JSON.stringify(text);
    default:
      return JSON.stringify(text);
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
