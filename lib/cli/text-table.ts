const MAX_WIDTH = 60;

/** Columns side by side under their names; long cells are cut. */
export function textTable(names: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map(cut));
  const widths = names.map((name, at) => cells.reduce((widest, row) => Math.max(widest, row[at]!.length), name.length));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (/^-?[\d.,]+$/.test(cell) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join("  ")
      .trimEnd();
  return [line(names), line(widths.map((width) => "─".repeat(width))), ...cells.map(line)];
}

const cut = (cell: string): string => (cell.length > MAX_WIDTH ? `${cell.slice(0, MAX_WIDTH - 1)}…` : cell);
