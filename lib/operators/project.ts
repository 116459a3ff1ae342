import { ColumnBatch, firstRows } from "../columns/column-batch.js";
import { ValueVector } from "../columns/value-vector.js";
import type { Vector } from "../columns/vector.js";
import { vectorTables } from "../columns/vector-table.js";
import type { Window } from "../time/window.js";
import type { Reader } from "./evaluate/reader.js";
import { NO_BATCHES, type Operator, type PassContext } from "./operator.js";

/** A column to compute, or one of the windows of a time: the row is repeated for each (SEMANTICS G1). */
interface ProjectColumn {
  readonly name: string;
  readonly vector: (batch: ColumnBatch) => Vector;
}

interface WindowsColumn {
  readonly name: string;
  /** Lists of windows. Empty: the row has no time, and vanishes. */
  readonly windows: Reader;
}

interface ProjectSpec {
  /** Under which rows without time are reported. */
  readonly operatorId: string;
  /** In output order; at most one is a WindowsColumn. */
  readonly columns: readonly (ProjectColumn | WindowsColumn)[];
}

const isWindows = (column: ProjectColumn | WindowsColumn): column is WindowsColumn => "windows" in column;

export function projectOperator({ operatorId, columns }: ProjectSpec): Operator {
  const repeated = columns.find(isWindows);
  const tableOf = vectorTables(columns.map(({ name }) => name));
  let pass: PassContext;

  const projectAll = (batch: ColumnBatch): ColumnBatch =>
    new ColumnBatch(tableOf(columns.map((column) => vectorOf(column, batch))), batch.selection, batch.origins);

  function repeat(column: WindowsColumn, batch: ColumnBatch): ColumnBatch {
    const windowsOf = column.windows(batch);
    const windows: Window[] = [];
    const from: number[] = [];
    for (const row of batch.selection) {
      const found = windowsOf(row) as readonly Window[];
      if (found.length === 0)
        pass.withoutTime({ operatorId, row: batch.row(row), origin: batch.origin(row), reason: "no-event-time" });
      for (const window of found) {
        windows.push(window);
        from.push(row);
      }
    }
    const rows = Int32Array.from(from);
    const vectors = columns.map((other) =>
      other === column ? new ValueVector(windows) : vectorOf(other, batch).gather(rows),
    );
    const { origins } = batch;
    return new ColumnBatch(
      tableOf(vectors),
      firstRows(rows.length),
      origins === null ? null : { source: origins.source, record: (row) => origins.record(rows[row]!) },
    );
  }

  return {
    beginPass(context) {
      pass = context;
    },
    process: (batch) => (repeated === undefined ? projectAll(batch) : repeat(repeated, batch)),
    endPass: () => NO_BATCHES,
  };
}

const vectorOf = (column: ProjectColumn | WindowsColumn, batch: ColumnBatch): Vector =>
  (column as ProjectColumn).vector(batch);
