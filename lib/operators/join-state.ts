import type { Side } from "../plan/join-condition.js";
import type { Row } from "../plan/schema.js";
import { prefixedKey } from "../state/key-codec.js";
import type { StateRow, StateStore, StateView, TableSpec } from "../state/state-store.js";
import type { Probe } from "./join-side.js";

/** `matched` is kept only where it decides about padding. */
export interface JoinedRow {
  readonly row: Row;
  readonly matched: boolean;
}

interface JoinTables {
  readonly left: TableSpec;
  readonly right: TableSpec;
  /** One row, `next`: equal rows are stored apart, each under the join key and a number never used before. */
  readonly sequence: TableSpec;
}

export const joinTables = (operatorId: string): JoinTables => ({
  left: { operatorId, table: "left", locate: "key", prefixed: true },
  right: { operatorId, table: "right", locate: "key", prefixed: true },
  sequence: { operatorId, table: "sequence", locate: "key" },
});

/** Both sides' state during one pass. */
export interface JoinState {
  readonly left: StateStore<JoinedRow>;
  readonly right: StateStore<JoinedRow>;
  store(side: Side, row: Row, probe: Probe, matched: boolean): void;
  markMatched(side: Side, rows: readonly StateRow<JoinedRow>[]): void;
  /** Keeps the sequence; one small state row per pass that stored anything. */
  close(): void;
}

export function openJoinState(view: StateView, tables: JoinTables): JoinState {
  const left = view.table<JoinedRow>(tables.left);
  const right = view.table<JoinedRow>(tables.right);
  const sequence = view.table<number>(tables.sequence);
  const first = sequence.get("next") ?? 0;
  let next = first;
  const stores = { left, right };
  return {
    left,
    right,
    store(side, row, probe, matched) {
      stores[side].put(prefixedKey(probe.prefix, (next++).toString(36)), { row, matched }, probe.expiry);
    },
    markMatched(side, rows) {
      for (const { key, value, expiry } of rows) stores[side].put(key, { row: value.row, matched: true }, expiry);
    },
    close() {
      if (next !== first) sequence.put("next", next, null);
    },
  };
}
