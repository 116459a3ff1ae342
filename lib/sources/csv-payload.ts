import { Buffer } from "node:buffer";
import type { CsvOptions } from "../plan/connectors/file-options.js";
import { fieldOf, typeText } from "../plan/data-type.js";
import type { Schema } from "../plan/schema.js";
import { type CsvCell, type CsvDialect, type CsvRow, RFC_4180 } from "./csv.js";
import { type CellReader, cellReader } from "./csv-cell.js";
import { jsonPayload } from "./json-payload.js";
import type { Payload } from "./source.js";

/** How rows are cut; `sep` where the options name none. */
export function csvDialect(options: CsvOptions, sep = RFC_4180.sep): CsvDialect {
  const quote = options.quote ?? RFC_4180.quote;
  return {
    sep: options.sep ?? options.delimiter ?? sep,
    quote,
    escape: options.escape ?? quote,
    comment: options.comment ?? null,
  };
}

/** How the cells of rows under one header become payloads. */
export interface CsvColumns {
  /** As the header has them. */
  readonly header: readonly string[];
  /** Declared columns that it has not, in whatever case. */
  readonly missing: readonly string[];
  readonly payload: (row: CsvRow) => Payload;
}

interface Column {
  /** Of the schema where it is declared, else of the header. */
  readonly name: string;
  readonly type: string;
  readonly read: CellReader;
}

/**
 * The columns that a header names: by their names, else by names that differ in case alone, as Spark resolves them. A row becomes the JSON
 * that the decoder reads. One with more cells than the header, or longer than may be, goes on as text, malformed: a column of it
 * might be read as another.
 * @param decode text of the file to text of the row; undefined where it is none (`not-json` says so)
 */
export function csvColumns(
  header: readonly string[],
  schema: Schema,
  options: CsvOptions = {},
  decode: (text: string) => string | undefined = (text) => text,
): CsvColumns {
  const columns = header.map((name): Column => {
    const field = fieldOf(schema, name) ?? inAnotherCase(header, name, schema);
    return { name: field?.name ?? name, type: typeText(field?.type ?? "string"), read: cellReader(field, options) };
  });
  const named = new Set(columns.map(({ name }) => name));
  const missing = schema.fields.flatMap(({ name }) => (named.has(name) ? [] : [name]));
  return { header, missing, payload: (row) => payloadOf(row, columns, decode) };
}

function inAnotherCase(header: readonly string[], name: string, schema: Schema) {
  const small = name.toLowerCase();
  const [field, ...others] = schema.fields.filter((candidate) => candidate.name.toLowerCase() === small);
  const isOnly = header.filter((other) => other.toLowerCase() === small).length === 1;
  return others.length === 0 && isOnly ? field : undefined;
}

function payloadOf(
  { cells, count, cut }: CsvRow,
  columns: readonly Column[],
  decode: (text: string) => string | undefined,
): Payload {
  const malformed = (reason: string, detail: string): Payload => ({
    data: bytesOf(cells, decode),
    malformed: { malformed: reason, detail },
  });
  if (count > columns.length) return malformed("too-many-cells", `${count} cells under ${columns.length} names`);
  if (cut) return malformed("too-large", "the row is longer than a payload may be");
  const members: [string, string][] = [];
  for (let at = 0; at < cells.length; at++) {
    const { name, type, read } = columns[at] as Column;
    const { text, quoted } = cells[at] as CsvCell;
    const decoded = decode(text);
    if (decoded === undefined) return malformed("not-json", `column '${name}': not UTF-8; name the file's encoding`);
    const json = read({ text: decoded, quoted });
    if (json === undefined)
      return malformed("schema-violation", `column '${name}': expected ${type}, got another text`);
    members.push([name, json]);
  }
  return { data: jsonPayload(members) };
}

/** The row as text, or, where that is none, as the bytes that it was read from. */
function bytesOf(cells: readonly CsvCell[], decode: (text: string) => string | undefined): Uint8Array {
  const line = cells.map(({ text, quoted }) => (quoted ? JSON.stringify(text) : text)).join(",");
  const decoded = decode(line);
  return decoded === undefined ? Buffer.from(line, "latin1") : Buffer.from(decoded, "utf8");
}
