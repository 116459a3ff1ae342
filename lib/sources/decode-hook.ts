import { Buffer } from "node:buffer";
import { rowTable } from "../columns/row-table.js";
import { columnNames } from "../plan/data-type.js";
import type { Row, Schema } from "../plan/schema.js";
import { csvParser } from "./csv.js";
import { csvColumns, csvDialect } from "./csv-payload.js";
import { DEFAULT_LIMITS } from "./decode-limits.js";
import { CsvText, type Decode, type DecodedValue, Undecodable } from "./decoded-values.js";
import { payloadBytes } from "./payload-text.js";
import { metadataOf, NOWHERE, type RecordPlace } from "./record-metadata.js";
import type { BatchDecoder, DecodedRow, MalformedRow, Payload, RowDecoder, SourceRecord } from "./source.js";

/** The readers of a source's rows. */
interface RowReaders {
  /** Of JSON. */
  readonly json: RowDecoder;
  /** Of a value that was never text. */
  readonly value: (value: object) => DecodedRow;
  readonly schema: Schema;
}

/** Rows that one record may make: enough for any batch of a producer, not enough to fill the memory. */
const MOST_VALUES = 100_000;

/**
 * Decodes by the source's own function. Rows of one record have one fate: where one of its values is malformed the record is, whole, so that
 * replaying it once it can be read counts no row twice.
 */
export function hookDecoder(decode: Decode, readers: RowReaders): BatchDecoder {
  return (payloads, place = NOWHERE) => {
    const rows: Row[] = [];
    const records: number[] = [];
    const malformed = new Map<number, MalformedRow>();
    payloads.forEach((payload, at) => {
      const made = payload.malformed ?? rowsOf(payload as SourceRecord, place, decode, readers);
      if ("malformed" in made) malformed.set(at, made);
      else
        for (const row of made.rows) {
          rows.push(row);
          records.push(at);
        }
    });
    return { table: rowTable(rows), malformed, lost: [], records: Int32Array.from(records) };
  };
}

type Made = { readonly rows: readonly Row[] } | MalformedRow;

function rowsOf(record: SourceRecord, place: RecordPlace, decode: Decode, readers: RowReaders): Made {
  if (record.isRow === true) return made([readers.json(record.data)]);
  const bytes = payloadBytes(record.data, DEFAULT_LIMITS.maxBytes);
  if ("malformed" in bytes) return bytes;
  let values: ReturnType<Decode>;
  try {
    values = decode(bytes, metadataOf(record, place));
  } catch (error) {
    return undecoded(error instanceof Undecodable ? error.message : `decode threw ${nameOf(error)}`);
  }
  if (values instanceof Promise) {
    values.catch(() => undefined);
    return undecoded("decode answered with a Promise");
  }
  if (values instanceof CsvText) return csvRowsOf(values, readers);
  const list: readonly DecodedValue[] = Array.isArray(values) ? values : [values as DecodedValue];
  if (list.length > MOST_VALUES) return { malformed: "too-large", detail: `more than ${MOST_VALUES} values` };
  return made(list.flatMap((value) => (value === null || value === undefined ? [] : [readValue(value, readers)])));
}

function readValue(value: Exclude<DecodedValue, null | undefined>, readers: RowReaders): DecodedRow {
  if (typeof value === "string") return readers.json(Buffer.from(value, "utf8"));
  if (value instanceof Uint8Array) return readers.json(value);
  if (typeof value === "object" && !Array.isArray(value)) return readers.value(value);
  return { malformed: "schema-violation", detail: `decode gave ${Array.isArray(value) ? "an array" : typeof value}` };
}

function csvRowsOf({ text, options }: CsvText, { json, schema }: RowReaders): Made {
  const parser = csvParser(
    { maxLength: DEFAULT_LIMITS.maxBytes, maxCells: DEFAULT_LIMITS.maxCells },
    csvDialect(options),
  );
  const rows = [...parser.push(text), ...parser.end()];
  const header = options.header === true ? rows.shift()?.cells.map((cell) => cell.text.trim()) : columnNames(schema);
  if (header === undefined) return { rows: [] };
  const columns = csvColumns(header, schema, options);
  return made(
    rows.map((row) => {
      const { data, malformed } = columns.payload(row);
      return malformed ?? json(data);
    }),
  );
}

function made(answers: readonly DecodedRow[]): Made {
  const rows: Row[] = [];
  for (const [at, answer] of answers.entries()) {
    if ("row" in answer) rows.push(answer.row);
    else
      return answers.length === 1
        ? answer
        : { ...answer, detail: `value ${at + 1} of ${answers.length}: ${answer.detail}` };
  }
  return { rows };
}

const undecoded = (detail: string): MalformedRow => ({ malformed: "not-decoded", detail });

/** Its message may quote the payload. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "something that is no Error");

/** The same rows with what is known of their records in columns. */
export function withMetadata(
  decode: BatchDecoder,
  columns: readonly { readonly name: string; readonly value: (record: SourceRecord, place: RecordPlace) => unknown }[],
): BatchDecoder {
  return (payloads, place = NOWHERE) => {
    const batch = decode(payloads, place);
    const count = batch.records?.length ?? payloads.length;
    const isRow = (row: number) =>
      batch.records !== undefined || !(batch.malformed.has(row) || batch.lost.includes(row));
    const rows = Array.from({ length: count }, (_, row): Row => {
      if (!isRow(row)) return {};
      const record = payloads[batch.records?.[row] ?? row] as Payload as SourceRecord;
      return {
        ...batch.table.row(row),
        ...Object.fromEntries(columns.map(({ name, value }) => [name, value(record, place)])),
      };
    });
    return { ...batch, table: rowTable(rows) };
  };
}
