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

const BOM = "\uFEFF";

/**
 * Rows of comma-separated text (RFC 4180): cells may be quoted, quotes doubled inside, commas and line ends inside quotes.
 * Lines end with LF or CRLF, blank ones are left out. What is beyond the limits is read over and not kept, so that neither an endless
 * cell nor endless commas fill the memory.
 */
export async function* csvRows(
  chunks: AsyncIterable<string>,
  { maxLength, maxCells }: CsvLimits,
): AsyncGenerator<CsvRow> {
  let cells: CsvCell[] = [];
  let count = 0;
  let room = maxLength;
  let cut = false;
  let text = "";
  let quoted = false;
  let state: "start" | "plain" | "quoted" | "quote" = "start";
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
    return row.count === 1 && row.cells[0]?.text === "" && !row.cells[0].quoted ? null : row;
  };
  for await (const chunk of chunks) {
    let at = first && chunk.startsWith(BOM) ? 1 : 0;
    if (chunk.length > 0) first = false;
    while (at < chunk.length) {
      if (state === "quoted") {
        const quote = chunk.indexOf('"', at);
        const end = quote < 0 ? chunk.length : quote;
        keep(chunk.slice(at, end));
        at = quote < 0 ? end : end + 1;
        if (quote >= 0) state = "quote";
        continue;
      }
      const char = chunk[at++] as string;
      if (char === '"' && (state === "start" || state === "quote")) {
        // At the start it opens the quotes; after a closing one it was a doubled quote.
        if (state === "quote") keep(char);
        quoted = true;
        state = "quoted";
      } else if (char === ",") {
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
  const row = endRow();
  if (row !== null) yield row;
}
