import type { Row } from "../plan/schema.js";
import type { Window } from "../time/window.js";
import { expandRows } from "./chunk.js";
import { type Chunk, NO_ROWS, type Operator, type PassContext } from "./operator.js";

/** A column to compute, or one of the windows of a time: the row is repeated for each (SEMANTICS G1). */
interface ProjectColumn {
  readonly name: string;
  readonly value: (row: Row) => unknown;
}

interface WindowsColumn {
  readonly name: string;
  /** None: the row has no time, and vanishes. */
  readonly windows: (row: Row) => readonly Window[];
}

interface ProjectSpec {
  /** Under which rows without time are reported. */
  readonly operatorId: string;
  /** In output order; at most one is a WindowsColumn. */
  readonly columns: readonly (ProjectColumn | WindowsColumn)[];
}

const isWindows = (column: ProjectColumn | WindowsColumn): column is WindowsColumn => "windows" in column;

export function projectOperator({ operatorId, columns }: ProjectSpec): Operator {
  const windows = columns.find(isWindows);
  let pass: PassContext;

  const project = (row: Row, window: Window | null): Row => {
    const output: Row = {};
    for (const column of columns) output[column.name] = isWindows(column) ? window : (column.value(row) ?? null);
    return output;
  };

  const projectAll = (chunk: Chunk): Chunk => ({
    rows: chunk.rows.map((row) => project(row, null)),
    origin: chunk.origin,
  });

  const repeat = (column: WindowsColumn, chunk: Chunk): Chunk =>
    expandRows(chunk, (row, origin) => {
      const found = column.windows(row);
      if (found.length === 0) pass.withoutTime({ operatorId, row, origin, reason: "no-event-time" });
      return found.map((window) => project(row, window));
    });

  return {
    beginPass(context) {
      pass = context;
    },
    process: (chunk) => (windows === undefined ? projectAll(chunk) : repeat(windows, chunk)),
    endPass: () => NO_ROWS,
  };
}
