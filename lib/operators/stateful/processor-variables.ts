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
  /** As a fingerprint keeps them: a variable of another kind, or with a lifetime that it had not, would misread what is stored. */
  readonly described: readonly string[];
  readonly getters: Pick<StatefulProcessorHandle, "getValueState" | "getListState" | "getMapState">;
  /** Ends `init`: tables are declared before the first row or never. */
  close(): void;
}

type VariableKind = "value" | "list" | "map";

export function processorVariables(operatorId: string, scope: ProcessorScope): ProcessorVariables {
  const tables: TableSpec[] = [];
  const described: string[] = [];
  const names = new Set<string>();
  let open = true;

  function declare(kind: VariableKind, name: string, options: StateVariableOptions | undefined): TableSpec {
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
    const ttl = ttlOf(name, options);
    const table: TableSpec = {
      operatorId,
      table: `state:${name}`,
      locate: "key",
      ...(kind === "value" ? {} : { prefixed: true }),
      ...(ttl === null ? {} : { clock: "processingTime" }),
    };
    tables.push(table);
    described.push(`${kind} ${name}${ttl === null ? "" : " with ttl"}`);
    return table;
  }

  return {
    tables,
    described,
    getters: {
      getValueState: (name, options) => valueState(scope, declare("value", name, options), ttlOf(name, options)),
      getListState: (name, options) => listState(scope, declare("list", name, options), ttlOf(name, options)),
      getMapState: (name, options) => mapState(scope, declare("map", name, options), ttlOf(name, options)),
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
