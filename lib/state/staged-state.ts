import { applyStateDelta, type CommittedState, emptyState, openTable } from "./committed-state.js";
import { tableId } from "./committed-table.js";
import { type StagedStore, stagedStore } from "./staged-store.js";
import { isEmptyDelta, type StateDelta, type TableDelta } from "./state-delta.js";
import type { StateStore, StateView, TableSpec } from "./state-store.js";
import { deltaBytes } from "./value-bytes.js";

/** All overlays of one attempt over one committed state, which stays untouched. Thrown away on a lost race. */
export interface StagedOverlay extends StateView {
  /** Estimated bytes of the state as it would stand; costs what changed. */
  readonly stateBytes: number;
  /** Of those, each table's: costs what changed, once. */
  tableBytes(): (table: TableSpec) => number;
  /** Whether anything differs from the committed state. */
  readonly changed: boolean;
  /** Tables that changed. */
  delta(): StateDelta;
}

export function stageState(state: CommittedState): StagedOverlay {
  const stores = new Map<string, StagedStore>();

  const delta = (): Map<string, TableDelta> => {
    const changed = new Map<string, TableDelta>();
    for (const [id, store] of stores) {
      const tableDelta = store.delta();
      if (!isEmptyDelta(tableDelta)) changed.set(id, tableDelta);
    }
    return changed;
  };

  return {
    table<Value>(spec: TableSpec): StateStore<Value> {
      const id = tableId(spec);
      let store = stores.get(id);
      if (store === undefined) {
        store = stagedStore(openTable(state, spec));
        stores.set(id, store);
      }
      return store as StagedStore<Value>;
    },
    get stateBytes() {
      let bytes = state.bytes;
      for (const [id, tableDelta] of delta()) bytes += deltaBytes(state.tables.get(id)!, tableDelta);
      return bytes;
    },
    tableBytes() {
      const bytes = new Map(state.tableBytes);
      for (const [id, tableDelta] of delta())
        bytes.set(id, (bytes.get(id) ?? 0) + deltaBytes(state.tables.get(id)!, tableDelta));
      return (table) => bytes.get(tableId(table)) ?? 0;
    },
    get changed() {
      return delta().size > 0;
    },
    delta,
  };
}

/** For tests of operators: a state without a checkpoint. */
interface MemoryState {
  stage(): StagedOverlay;
  commit(staged: StagedOverlay): void;
  readonly state: CommittedState;
}

export function memoryState(state: CommittedState = emptyState()): MemoryState {
  return {
    state,
    stage: () => stageState(state),
    commit: (staged) => applyStateDelta(state, staged.delta()),
  };
}
