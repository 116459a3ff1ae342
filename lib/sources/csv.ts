/** A cell: quoted or not makes the difference between an empty text and none. */
export interface CsvCell {
  readonly text: string;
  readonly quoted: boolean;
}

const BOM = "\uFEFF";

/**
 * Rows of comma-separated text (RFC 4180): cells may be quoted, quotes doubled inside, commas and line ends inside quotes.
 * Lines end with LF or CRLF, blank ones are left out. A cell beyond `maxLength` characters is cut there.
 */
export async function* csvRows(chunks: AsyncIterable<string>, maxLength: number): AsyncGenerator<readonly CsvCell[]> {
  let cells: CsvCell[] = [];
  let text = "";
  let quoted = false;
  let state: "start" | "plain" | "quoted" | "quote" = "start";
  let first = true;
  const endCell = () => {
    cells.push({ text: quoted ? text : text.replace(/\r$/, ""), quoted });
    text = "";
    quoted = false;
    state = "start";
  };
  const endRow = (): readonly CsvCell[] | null => {
    endCell();
    const row = cells;
    cells = [];
    return row.length === 1 && row[0]?.text === "" && !row[0].quoted ? null : row;
  };
  for await (const chunk of chunks) {
    let at = first && chunk.startsWith(BOM) ? 1 : 0;
    if (chunk.length > 0) first = false;
    while (at < chunk.length) {
      if (state === "quoted") {
        const quote = chunk.indexOf('"', at);
        const end = quote < 0 ? chunk.length : quote;
        if (text.length < maxLength) text += chunk.slice(at, Math.min(end, at + maxLength - text.length));
        at = quote < 0 ? end : end + 1;
        if (quote >= 0) state = "quote";
        continue;
      }
      const char = chunk[at++] as string;
      if (char === '"' && (state === "start" || state === "quote")) {
        // At the start it opens the quotes; after a closing one it was a doubled quote.
        if (state === "quote") text += char;
        quoted = true;
        state = "quoted";
      } else if (char === ",") {
        endCell();
      } else if (char === "\n") {
        const row = endRow();
        if (row !== null) yield row;
      } else {
        if (!(state === "quote" && char === "\r") && text.length < maxLength) text += char;
        if (state === "start") state = "plain";
      }
    }
  }
  const row = endRow();
  if (row !== null) yield row;
}
