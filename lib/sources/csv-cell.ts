import type { CsvOptions } from "../plan/connectors/file-options.js";
import { doubleOfText, integerOfText } from "../plan/number-text.js";
import type { DataType, Field } from "../plan/schema.js";
import { isoTime } from "../time/iso-time.js";
import { compileTimestampParser, type TimestampParser } from "../time/parse-pattern.js";
import { requireZone } from "../time/time-zone.js";
import type { CsvCell } from "./csv.js";

/** A cell as JSON for its column; undefined: it is no value of the column. */
export type CellReader = (cell: CsvCell) => string | undefined;

type CellOptions = Pick<
  CsvOptions,
  "nullValue" | "timestampFormat" | "ignoreLeadingWhiteSpace" | "ignoreTrailingWhiteSpace"
>;

/**
 * Spark's rules of text in a CSV cell. A cell that is empty and not quoted is null, and so is one of `nullValue`; arrays and structs stand
 * as JSON; what no other rule knows goes on as text, and the column's reader judges it.
 */
export function cellReader(field: Field | undefined, options: CellOptions): CellReader {
  const nulls = new Set([options.nullValue ?? []].flat());
  const read = valueReader(field, options);
  return (cell) => {
    const text = withoutBlanks(cell, options);
    return (text === "" && !cell.quoted) || nulls.has(text) ? "null" : read(text);
  };
}

function withoutBlanks({ text, quoted }: CsvCell, options: CellOptions): string {
  if (quoted) return text;
  const led = options.ignoreLeadingWhiteSpace ? text.trimStart() : text;
  return options.ignoreTrailingWhiteSpace ? led.trimEnd() : led;
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** Four to six digits are a year, as in Spark. */
const EPOCH = /^-?(\d{1,3}|\d{7,})(\.\d+)?$/;
/** Java's words for what is no number. */
const NO_NUMBERS = new Map([
  ["NaN", "NaN"],
  ["Inf", "Infinity"],
  ["Infinity", "Infinity"],
  ["+Infinity", "Infinity"],
  ["-Inf", "-Infinity"],
  ["-Infinity", "-Infinity"],
]);

function valueReader(field: Field | undefined, options: CellOptions): (text: string) => string | undefined {
  const type: DataType = field?.type ?? "string";
  if (typeof type === "object") return (text) => (isJson(text) ? text : JSON.stringify(text));
  switch (type) {
    case "long":
    case "int":
      return integerJson;
    case "double":
      return doubleJson;
    case "boolean":
      return (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() : JSON.stringify(text));
    case "timestamp":
      return timestampReader(field, options.timestampFormat);
    default:
      return (text) => JSON.stringify(text);
  }
}

/** `7.0` is how other programs write whole numbers of a column that had a null. */
const integerJson = (text: string): string =>
  integerOfText(text.replace(/^([+-]?\d+)\.0{1,20}$/, "$1"))?.toString() ?? JSON.stringify(text);

function doubleJson(text: string): string {
  if (JSON_NUMBER.test(text)) return text;
  const word = NO_NUMBERS.get(text.trim());
  const number = /[0-9]/.test(text) ? doubleOfText(text) : undefined;
  return word === undefined && number !== undefined && Number.isFinite(number)
    ? String(number)
    : JSON.stringify(word ?? text);
}

function timestampReader(field: Field | undefined, format: string | undefined): (text: string) => string | undefined {
  const { format: own, unit, timeZone } = field?.reading ?? {};
  if (format !== undefined && own === undefined && unit === undefined)
    return formatted(compileTimestampParser(format, timeZone === undefined ? undefined : requireZone(timeZone)));
  return (text) => (own === undefined && unit === undefined && EPOCH.test(text) ? text : JSON.stringify(text));
}

const formatted = (parse: TimestampParser) => (text: string) => {
  const time = parse(text);
  return Number.isNaN(time) ? undefined : JSON.stringify(isoTime(time));
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
