import { internalError } from "../errors.js";
import { applyDelta, type CommittedTable, committedTable, tableId } from "./committed-table.js";
import type { StateDelta } from "./state-delta.js";
import type { TableSpec } from "./state-store.js";
import { deltaBytes } from "./value-bytes.js";

/** The state of one version, in memory. */
export interface CommittedState {
  readonly tables: Map<string, CommittedTable>;
  /** Estimated heap bytes of all rows. */
  bytes: number;
  /** Of those, each table's, by its id. */
  readonly tableBytes: Map<string, number>;
}

/** state(0), with the tables that the query declares. */
export const emptyState = (specs: readonly TableSpec[] = []): CommittedState => ({
  tables: new Map(specs.map((spec) => [tableId(spec), committedTable(spec)])),
  bytes: 0,
  tableBytes: new Map(),
});

export function openTable(state: CommittedState, spec: TableSpec): CommittedTable {
  const id = tableId(spec);
  let table = state.tables.get(id);
  if (table === undefined) {
    table = committedTable(spec);
    state.tables.set(id, table);
  }
  return table;
}

/** Turns state(n-1) into state(n), in place: only after the outcome of n's put is known (protocol.md rule 4). */
export function applyStateDelta(state: CommittedState, delta: StateDelta): void {
  for (const [id, tableDelta] of delta) {
    const table = state.tables.get(id);
    if (table === undefined) {
      throw internalError("unknown-table", `A stored change names the table ${id}, which this query does not declare.`);
    }
    const growth = deltaBytes(table, tableDelta);
    state.bytes += growth;
    state.tableBytes.set(id, (state.tableBytes.get(id) ?? 0) + growth);
    applyDelta(table, tableDelta);
  }
}
