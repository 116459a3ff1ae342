import type { Micros } from "../time/event-time.js";
import { applyToExpiryTable, type ExpiryTable, expiriesThrough, expiryTable } from "./expiry-table.js";
import { applyToKeyTable, dueRows, type KeyTable, keyTable } from "./key-table.js";
import type { Expiry, TableDelta } from "./state-delta.js";
import type { TableSpec } from "./state-store.js";

/** One table of the committed state of one version. Changed only by `applyDelta`, once an entry is known to be committed. */
export type CommittedTable = ExpiryTable | KeyTable;

/** A row as segments and runs hold it. */
interface PhysicalRow {
  readonly expiry: Expiry;
  readonly key: string;
  readonly value: unknown;
  /** 0 in tables located by expiry. */
  readonly order: number;
}

/** Stable, and the key of the table in deltas and segments. */
export const tableId = (spec: Pick<TableSpec, "operatorId" | "table">): string => `${spec.operatorId}/${spec.table}`;

export const committedTable = (spec: TableSpec): CommittedTable =>
  spec.locate === "expiry" ? expiryTable() : keyTable(spec.prefixed === true);

export const applyDelta = (table: CommittedTable, delta: TableDelta): void =>
  table.locate === "expiry" ? applyToExpiryTable(table, delta) : applyToKeyTable(table, delta);

/** In the order that rebuilds the table when the rows are put back one by one. */
export function* physicalRows(table: CommittedTable): Iterable<PhysicalRow> {
  if (table.locate === "expiry") {
    for (const [expiry, bucket] of table.buckets) {
      for (const [key, value] of bucket) yield { expiry, key, value, order: 0 };
    }
  } else {
    for (const [key, row] of table.rows) yield { ...row, key };
  }
}

/** Rows with `expiry <= through`. */
export function* physicalRowsThrough(table: CommittedTable, through: Micros): Iterable<PhysicalRow> {
  if (table.locate === "expiry") {
    for (const expiry of expiriesThrough(table.buckets.keys(), through)) {
      for (const [key, value] of table.buckets.get(expiry)!) yield { expiry, key, value, order: 0 };
    }
  } else {
    for (const [key, row] of dueRows(table, through)) yield { ...row, key };
  }
}
