import { internalError } from "../errors.js";
import { applyStateDelta, type CommittedState, openTable } from "./committed-state.js";
import { tableId } from "./committed-table.js";
import { type StagedStore, stagedStore } from "./staged-store.js";
import { isEmptyDelta, type StateDelta, type TableDelta } from "./state-delta.js";
import type { StateStore, StateView, TableSpec } from "./state-store.js";
import { deltaBytes } from "./value-bytes.js";

/** All overlays of one attempt over one committed state, which stays untouched. Thrown away on a lost race. */
export interface StagedOverlay extends StateView {
  savepoint(): { keep(): void; discard(): void };
  /** Estimated bytes of the state as it would stand; costs what changed. */
  readonly stateBytes: number;
  /** Whether anything differs from the committed state. No savepoint may be open. */
  readonly changed: boolean;
  /** Tables that changed. No savepoint may be open. */
  delta(): StateDelta;
}

export function stageState(state: CommittedState): StagedOverlay {
  const stores = new Map<string, StagedStore>();
  let depth = 0;

  const delta = (): Map<string, TableDelta> => {
    if (depth > 0)
      throw internalError("savepoint-open", "The staged state was asked for its delta within a savepoint.");
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
        for (let i = 0; i < depth; i++) store.push();
        stores.set(id, store);
      }
      return store as StagedStore<Value>;
    },
    savepoint() {
      depth++;
      const level = depth;
      for (const store of stores.values()) store.push();
      const close = (keep: boolean) => {
        if (depth !== level)
          throw internalError("savepoint-order", "Savepoints must be closed in reverse order, once.");
        depth--;
        for (const store of stores.values()) store.pop(keep);
      };
      return { keep: () => close(true), discard: () => close(false) };
    },
    get stateBytes() {
      let bytes = state.bytes;
      for (const [id, tableDelta] of delta()) bytes += deltaBytes(state.tables.get(id)!, tableDelta);
      return bytes;
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

export function memoryState(state: CommittedState = { tables: new Map(), bytes: 0 }): MemoryState {
  return {
    state,
    stage: () => stageState(state),
    commit: (staged) => applyStateDelta(state, staged.delta()),
  };
}
