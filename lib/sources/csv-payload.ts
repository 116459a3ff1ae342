import { Buffer } from "node:buffer";
import type { DataType, Schema } from "../plan/schema.js";
import type { CsvCell, CsvRow } from "./csv.js";
import { jsonPayload } from "./json-payload.js";
import type { Payload } from "./source.js";

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A row under its header as the JSON that the decoder reads. A cell that is empty and not quoted is null; numbers and booleans stand as such
 * where the column is declared so, arrays and structs as JSON; everything else is a string. A row with more cells than the header, or
 * longer than may be, goes on as text, malformed: a column of it might be read as another.
 */
export function csvPayload(header: readonly string[], row: CsvRow, schema: Schema): Payload {
  const { cells, count, cut } = row;
  const malformed = (reason: string, detail: string): Payload => ({
    data: textOf(cells),
    malformed: { malformed: reason, detail },
  });
  if (count > header.length) return malformed("too-many-cells", `${count} cells under ${header.length} names`);
  if (cut) return malformed("too-large", "the row is longer than a payload may be");
  const members = cells.map((cell, at) => {
    const name = header[at] as string;
    const field = schema.fields.find((candidate) => candidate.name === name);
    return [name, cellJson(cell, field?.type ?? "string")] as const;
  });
  return { data: jsonPayload(members) };
}

const textOf = (cells: readonly CsvCell[]): Uint8Array =>
  Buffer.from(cells.map(({ text, quoted }) => (quoted ? JSON.stringify(text) : text)).join(","), "utf8");

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
