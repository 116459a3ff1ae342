/** A cell: quoted or not makes the difference between an empty text and none. */
export interface CsvCell {
  readonly text: string;
  readonly quoted: boolean;
}

/** A row within its limits. */
export interface CsvRow {
  /** The first ones, if there are more than may be. */
  readonly cells: readonly CsvCell[];
  /** How many cells stand in the file. */
  readonly count: number;
  /** Whether it is longer than may be: then what is beyond is not here. */
  readonly cut: boolean;
}

export interface CsvLimits {
  /** Characters of a row, those of quotes and line ends apart. */
  readonly maxLength: number;
  readonly maxCells: number;
}

/** Single characters; an empty quote: there are none. */
export interface CsvDialect {
  readonly sep: string;
  readonly quote: string;
  /** Before a quote inside quotes. */
  readonly escape: string;
  readonly comment: string | null;
}

export const RFC_4180: CsvDialect = Object.freeze({ sep: ",", quote: '"', escape: '"', comment: null });

/** A byte-order mark, as one character or as the three that its bytes are in Latin-1. */
const BOM = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/;

/**
 * Rows of separated text: cells may be quoted, quotes doubled or escaped inside, separators and line ends inside quotes.
 * Lines end with LF or CRLF, blank ones are left out. What is beyond the limits is read over and not kept, so that neither an endless
 * cell nor endless separators fill the memory.
 */
export async function* csvRows(
  chunks: AsyncIterable<string>,
  limits: CsvLimits,
  dialect: CsvDialect = RFC_4180,
): AsyncGenerator<CsvRow> {
  const parser = csvParser(limits, dialect);
  for await (const chunk of chunks) yield* parser.push(chunk);
  yield* parser.end();
}

/** The same, chunk by chunk. */
export function csvParser(
  { maxLength, maxCells }: CsvLimits,
  { sep, quote, escape: escaping, comment }: CsvDialect = RFC_4180,
): { push(chunk: string): Generator<CsvRow>; end(): Generator<CsvRow> } {
  let cells: CsvCell[] = [];
  let count = 0;
  let room = maxLength;
  let cut = false;
  let text = "";
  let quoted = false;
  let state: "start" | "plain" | "quoted" | "quote" | "escaped" = "start";
  let first = true;
  const endCell = () => {
    count++;
    if (count <= maxCells) cells.push({ text: quoted ? text : text.replace(/\r$/, ""), quoted });
    text = "";
    quoted = false;
    state = "start";
  };
  const keep = (part: string) => {
    if (part.length > room) cut = true;
    if (count < maxCells) text += part.length <= room ? part : part.slice(0, room);
    room = Math.max(0, room - part.length);
  };
  const endRow = (): CsvRow | null => {
    endCell();
    const row = { cells, count, cut };
    cells = [];
    count = 0;
    room = maxLength;
    cut = false;
    const [only] = row.cells;
    if (only === undefined || only.quoted) return row;
    if (comment !== null && only.text.startsWith(comment)) return null;
    return row.count === 1 && only.text === "" ? null : row;
  };
  const doubled = escaping === quote;
  function* push(chunk: string): Generator<CsvRow> {
    let at = first ? (BOM.exec(chunk)?.[0].length ?? 0) : 0;
    if (chunk.length > 0) first = false;
    while (at < chunk.length) {
      if (state === "quoted") {
        const end = endOfPlain(chunk, at, quote, escaping);
        keep(chunk.slice(at, end));
        at = end + 1;
        if (end < chunk.length) state = chunk[end] === quote ? "quote" : "escaped";
        continue;
      }
      const char = chunk[at++] as string;
      if (state === "escaped") {
        // Before any other character it is itself.
        keep(char === quote || char === escaping ? char : `${escaping}${char}`);
        state = "quoted";
      } else if (char === quote && (state === "start" || (state === "quote" && doubled))) {
        // At the start it opens the quotes; after a closing one it was a doubled quote.
        if (state === "quote") keep(char);
        quoted = true;
        state = "quoted";
      } else if (char === sep) {
        endCell();
      } else if (char === "\n") {
        const row = endRow();
        if (row !== null) yield row;
      } else {
        if (!(state === "quote" && char === "\r")) keep(char);
        if (state === "start") state = "plain";
      }
    }
  }
  function* end(): Generator<CsvRow> {
    const row = endRow();
    if (row !== null) yield row;
  }
  return { push, end };
}

/** Where the next quote or escape inside quotes stands, or the end. */
function endOfPlain(chunk: string, at: number, quote: string, escaping: string): number {
  const nextQuote = chunk.indexOf(quote, at);
  const end = nextQuote < 0 ? chunk.length : nextQuote;
  if (escaping === quote) return end;
  const nextEscape = chunk.slice(at, end).indexOf(escaping);
  return nextEscape < 0 ? end : at + nextEscape;
}
