import type { Row, Schema } from "../plan/schema.js";
import { parseDuration } from "../time/duration.js";
import { UsageError } from "./command.js";

const FORM = /^\s*(\w+)(?:\s*\+\s*(\w+)\s+(\w+))?\s*$/;

interface ArrivalColumn {
  /** Columns that it reads, the first a timestamp, the second a number. */
  readonly columns: readonly string[];
  /** Epoch ms; null where a column is NULL or no number. */
  of(row: Row): number | null;
}

/** `COLUMN`, a timestamp, or `COLUMN + NUMBER_COLUMN UNIT`: when a record of a file arrived. */
export function arrivalColumn(text: string): ArrivalColumn {
  const [, time, lag, unit] = FORM.exec(text) ?? [];
  if (time === undefined) throw new UsageError(`--arrival takes COLUMN or "COLUMN + COLUMN minutes", not '${text}'.`);
  const unitMs = unit === undefined ? 0 : parseDuration(`1 ${unit}`) / 1000;
  const number = (row: Row, name: string): number =>
    row[name] === null || row[name] === undefined ? Number.NaN : Number(row[name]);
  return {
    columns: lag === undefined ? [time] : [time, lag],
    of(row) {
      const arrival = number(row, time) + (lag === undefined ? 0 : number(row, lag) * unitMs);
      return Number.isFinite(arrival) ? arrival : null;
    },
  };
}

/** @throws a usage error that names the columns there are */
export function requireColumns({ columns }: ArrivalColumn, schema: Schema): void {
  const missing = columns.find((name) => !schema.open && !schema.fields.some((field) => field.name === name));
  if (missing === undefined) return;
  const known = schema.fields.map(({ name }) => name).join(", ");
  throw new UsageError(`--arrival names the column '${missing}'; the query declares ${known}.`);
}
