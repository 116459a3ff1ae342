import { userError } from "../errors.js";
import type { DataType } from "../plan/schema.js";

/** What stored state depends on: window size, delay and user functions do not (DATA.md section 6). */
export interface StateSchema {
  readonly outputMode: string;
  readonly watermarkPolicy: string;
  readonly lateRule: string;
  readonly operators: readonly OperatorSchema[];
}

export interface OperatorSchema {
  readonly operatorId: string;
  readonly kind: string;
  readonly keys: readonly StateColumn[];
  /** In their order within a stored value; new ones may only follow. */
  readonly values: readonly StateColumn[];
}

export interface StateColumn {
  readonly name: string;
  readonly type: DataType;
}

/**
 * Refuses what stored state could not be read with: `key-schema-changed`, `state-schema-changed`, old and new side by side.
 * Accepted, as in Spark: another delay, window size or sink, and values added after those that stand.
 */
export function checkCompatible(query: string, stored: StateSchema, now: StateSchema): void {
  for (const option of ["outputMode", "watermarkPolicy", "lateRule"] as const) {
    if (stored[option] !== now[option])
      throw changed("state-schema-changed", query, option, stored[option], now[option]);
  }
  const before = new Map(stored.operators.map((operator) => [operator.operatorId, operator]));
  for (const operator of now.operators) {
    const old = before.get(operator.operatorId);
    if (old === undefined || old.kind !== operator.kind) {
      throw changed("state-schema-changed", query, "stateful operators", names(stored), names(now));
    }
    const what = `${operator.kind} ${operator.operatorId}`;
    if (listed(old.keys) !== listed(operator.keys)) {
      throw changed("key-schema-changed", query, `keys of ${what}`, listed(old.keys), listed(operator.keys));
    }
    if (!listed(operator.values.slice(0, old.values.length)).startsWith(listed(old.values))) {
      throw changed("state-schema-changed", query, `values of ${what}`, listed(old.values), listed(operator.values));
    }
  }
  if (before.size !== now.operators.length) {
    throw changed("state-schema-changed", query, "stateful operators", names(stored), names(now));
  }
}

const listed = (columns: readonly StateColumn[]): string =>
  `(${columns.map(({ name, type }) => `${name} ${typeof type === "string" ? type : JSON.stringify(type)}`).join(", ")})`;

const names = (schema: StateSchema): string =>
  `(${schema.operators
    .map(({ kind, operatorId }) => `${kind} ${operatorId}`)
    .sort()
    .join(", ")})`;

const changed = (code: string, query: string, what: string, stored: string, now: string) =>
  userError(
    code,
    `The ${what} of ${query} changed: the checkpoint has ${stored}, the query has ${now}.`,
    "Change the query back, or give it a new queryName to start from nothing.",
  );
