const MAX_WIDTH = 60;

/** Columns side by side under their names; long cells are cut. */
export const textTable = (names: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => {
  const { head, line } = tableLayout(names, rows);
  return [...head, ...rows.map(line)];
};

/** The columns' widths by what stands in `rows`, for lines that come later, too. */
export function tableLayout(names: readonly string[], rows: readonly (readonly string[])[]) {
  const widths = names.map((name, at) =>
    rows.reduce((widest, row) => Math.max(widest, cut(row[at]!).length), name.length),
  );
  const line = (row: readonly string[]): string =>
    row
      .map(cut)
      .map((cell, at) => (/^-?[\d.,]+$/.test(cell) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join("  ")
      .trimEnd();
  return { head: [line(names), line(widths.map((width) => "─".repeat(width)))], line };
}

const cut = (cell: string): string => (cell.length > MAX_WIDTH ? `${cell.slice(0, MAX_WIDTH - 1)}…` : cell);

/** To the width of a terminal, which would go on in the next line otherwise. */
export const cutLine = (line: string, columns: number): string =>
  line.length > columns ? `${line.slice(0, Math.max(0, columns - 1))}…` : line;
