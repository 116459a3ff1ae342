import { userError } from "../../errors.js";
import type { TableSpec } from "../../state/state-store.js";
import { listState } from "./list-state.js";
import { mapState } from "./map-state.js";
import type { ProcessorScope } from "./processor-scope.js";
import type { StatefulProcessorHandle, StateVariableOptions } from "./stateful-processor.js";
import { valueState } from "./value-state.js";

/** The state variables that a processor's `init` asks for, one table each. */
interface ProcessorVariables {
  readonly tables: readonly TableSpec[];
  readonly getters: Pick<StatefulProcessorHandle, "getValueState" | "getListState" | "getMapState">;
  /** Ends `init`: tables are declared before the first row or never. */
  close(): void;
}

export function processorVariables(operatorId: string, scope: ProcessorScope): ProcessorVariables {
  const tables: TableSpec[] = [];
  const names = new Set<string>();
  let open = true;

  function declare(name: string, prefixed: boolean, options: StateVariableOptions | undefined): TableSpec {
    if (!open) {
      throw userError(
        "state-outside-init",
        `State variable "${name}" was asked for after init.`,
        "Get every state variable in init.",
      );
    }
    if (names.has(name)) {
      throw userError("state-name-taken", `Two state variables are named "${name}".`, "Give each a name of its own.");
    }
    names.add(name);
    const table: TableSpec = {
      operatorId,
      table: `state:${name}`,
      locate: "key",
      ...(prefixed ? { prefixed } : {}),
      ...(ttlOf(name, options) === null ? {} : { clock: "processingTime" }),
    };
    tables.push(table);
    return table;
  }

  return {
    tables,
    getters: {
      getValueState: (name, options) => valueState(scope, declare(name, false, options), ttlOf(name, options)),
      getListState: (name, options) => listState(scope, declare(name, true, options), ttlOf(name, options)),
      getMapState: (name, options) => mapState(scope, declare(name, true, options), ttlOf(name, options)),
    },
    close() {
      open = false;
    },
  };
}

function ttlOf(name: string, options: StateVariableOptions | undefined): number | null {
  const ttlMs = options?.ttlMs;
  if (ttlMs === undefined) return null;
  if (Number.isFinite(ttlMs) && ttlMs > 0) return ttlMs;
  throw userError("ttl-invalid", `The ttlMs of state variable "${name}" is ${ttlMs}.`, "Give a positive number of ms.");
}
