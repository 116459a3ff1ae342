import { userError } from "../../errors.js";
import { readPattern } from "../../time/time-pattern.js";
import { closestName } from "../closest-name.js";

/** How text is cut into values: options of Spark's CSV reader by their names. */
export interface CsvOptions {
  /** Between cells, `,` by default; one character of ASCII. `delimiter` is the same. */
  readonly sep?: string;
  readonly delimiter?: string;
  /** Around cells, `"` by default; an empty text: cells are never quoted. */
  readonly quote?: string;
  /** Before a quote inside quotes: the quote itself by default (RFC 4180); Spark's default is a backslash. */
  readonly escape?: string;
  /** Whether the first row names the columns: true by default. False: cells are the declared columns, in their order. */
  readonly header?: boolean;
  /** Cells of this text are null, empty ones too. */
  readonly nullValue?: string | readonly string[];
  /** How a timestamp stands in a cell, in Spark's pattern letters; a column's own `format` goes before it. */
  readonly timestampFormat?: string;
  readonly ignoreLeadingWhiteSpace?: boolean;
  readonly ignoreTrailingWhiteSpace?: boolean;
  /** Rows that begin with this character are left out. */
  readonly comment?: string;
}

/** Options of files of text. */
export interface FileOptions extends CsvOptions {
  /** Of the bytes, UTF-8 by default; any that `TextDecoder` knows, as in `ISO-8859-1`. `charset` is the same. */
  readonly encoding?: string;
  readonly charset?: string;
}

const KINDS: { readonly [Name in keyof FileOptions]-?: "character" | "quote" | "boolean" | "text" | "texts" } = {
  sep: "character",
  delimiter: "character",
  quote: "quote",
  escape: "character",
  header: "boolean",
  nullValue: "texts",
  timestampFormat: "text",
  ignoreLeadingWhiteSpace: "boolean",
  ignoreTrailingWhiteSpace: "boolean",
  comment: "character",
  encoding: "text",
  charset: "text",
};

const isCharacter = (value: unknown): boolean =>
  typeof value === "string" && value.length === 1 && value.charCodeAt(0) < 128 && value !== "\n" && value !== "\r";

const FITS: Readonly<Record<(typeof KINDS)[keyof FileOptions], (value: unknown) => boolean>> = {
  character: isCharacter,
  quote: (value) => value === "" || isCharacter(value),
  boolean: (value) => typeof value === "boolean",
  text: (value) => typeof value === "string" && value !== "",
  texts: (value) => (Array.isArray(value) ? value : [value]).every((text) => typeof text === "string"),
};

const NEEDS: Readonly<Record<keyof typeof FITS, string>> = {
  character: "one character of ASCII",
  quote: "one character of ASCII, or an empty text",
  boolean: "true or false",
  text: "a text",
  texts: "a text, or several",
};

/** @throws `option-unknown`, `option-invalid`, `time-pattern` */
export function checkFileOptions(options: FileOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name as keyof FileOptions] : undefined;
    if (kind === undefined) throw unknown(name);
    if (!FITS[kind](value)) throw invalid(name, value, `Give ${NEEDS[kind]}.`);
  }
  const encoding = options.encoding ?? options.charset;
  if (encoding !== undefined && !isEncoding(encoding))
    throw invalid("encoding", encoding, "Give the name of one, as in 'UTF-8', 'ISO-8859-1' or 'windows-1252'.");
  if (options.timestampFormat !== undefined) readPattern(options.timestampFormat);
}

/** An option as the command line gives it: `true` and `false` where they are asked for, `\t` for a tab. */
export function fileOptionOf(name: string, text: string): FileOptions {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name as keyof FileOptions] : undefined;
  if (kind === undefined) throw unknown(name);
  if (kind === "boolean" && (text === "true" || text === "false")) return { [name]: text === "true" };
  return { [name]: kind === "character" && text === "\\t" ? "\t" : text };
}

const isEncoding = (name: string): boolean => {
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
};

function unknown(name: string) {
  const names = Object.keys(KINDS);
  const closest = closestName(name, names);
  return userError(
    "option-unknown",
    `Files have no option '${name}'.`,
    closest === undefined ? `Write one of ${names.join(", ")}.` : `Write '${closest}'.`,
  );
}

const invalid = (name: string, value: unknown, remedy: string) =>
  userError("option-invalid", `The option ${name} cannot be ${JSON.stringify(value)}.`, remedy);
