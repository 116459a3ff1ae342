import type { CommittedTable } from "./committed-table.js";
import { stagedExpiryStore } from "./staged-expiry-store.js";
import { stagedKeyStore } from "./staged-key-store.js";
import type { TableDelta } from "./state-delta.js";
import type { StateStore } from "./state-store.js";

/** An overlay over one committed table. */
export interface StagedStore<Value = unknown> extends StateStore<Value> {
  delta(): TableDelta;
}

export const stagedStore = (table: CommittedTable): StagedStore =>
  table.locate === "expiry" ? stagedExpiryStore(table) : stagedKeyStore(table);
