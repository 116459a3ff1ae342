import type { Accumulator } from "../operators/aggregates/aggregator.js";
import { aggregator } from "../operators/aggregates/aggregator.js";
import { windowGroupRow } from "../operators/group-key.js";
import { keyColumns } from "../operators/key-columns.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { Field, Row, Schema } from "../plan/schema.js";
import { isStateful, nodesUpwards, type StatefulPlanNode } from "../plan/walk.js";
import { prefixOf, restOf } from "../state/key-codec.js";
import type { StateRow, TableSpec } from "../state/state-store.js";
import { fromMicros } from "../time/event-time.js";

/** How the rows of one state table read: keys and values as the query names them, and when they expire. */
export interface StateTable {
  readonly operatorId: string;
  readonly table: string;
  readonly schema: Schema;
  toRow(row: StateRow<unknown>): Row;
}

/** Of every table that the query declares, in the order of the plan. */
export function stateTables(definition: QueryDefinition, specs: readonly TableSpec[]): readonly StateTable[] {
  const nodes = nodesUpwards(definition.plan).filter(isStateful);
  return specs.flatMap((spec) => {
    const node = nodes.find(({ operatorId }) => operatorId === spec.operatorId);
    return node === undefined ? [] : [stateTable(node, spec, definition)];
  });
}

function stateTable(node: StatefulPlanNode, spec: TableSpec, { functions }: QueryDefinition): StateTable {
  const { operatorId, table } = spec;
  const keys = keyFields(node);
  const columns = keyColumns(keys);
  const expires: Field = { name: "expires", type: "timestamp", nullable: true };
  const withExpiry = (row: StateRow<unknown>, rest: Row): Row => ({
    ...rest,
    expires: row.expiry === null ? null : fromMicros(row.expiry),
  });
  if (node.kind === "aggregate") {
    const aggregates = aggregator(node.aggregates, node.input.schema, functions);
    const { window, schema } = node;
    const finished = (keyRow: Row, value: unknown): Row => {
      aggregates.finish(value as Accumulator, keyRow);
      return keyRow;
    };
    return {
      operatorId,
      table,
      schema: { fields: [...schema.fields, expires] },
      toRow(row) {
        if (window === undefined) return withExpiry(row, finished(columns.decode(row.key), row.value));
        if (window.kind !== "session")
          return withExpiry(row, finished(windowGroupRow(row.key, window.as, columns), row.value));
        const { end, accumulator } = row.value as { readonly end: number; readonly accumulator: unknown };
        const session = { start: fromMicros(Number(restOf(row.key))), end: fromMicros(end) };
        return withExpiry(row, finished({ [window.as]: session, ...columns.decode(prefixOf(row.key)) }, accumulator));
      },
    };
  }
  const value: Field = { name: "value", type: "json", nullable: true };
  const keyed = keys.length > 0 && table !== "sequence";
  return {
    operatorId,
    table,
    schema: { fields: keyed ? [...keys, value, expires] : [value, expires] },
    toRow: (row) =>
      withExpiry(row, {
        ...(keyed ? columns.decode(spec.prefixed === true ? prefixOf(row.key) : row.key) : {}),
        value: row.value ?? null,
      }),
  };
}

/** The columns that a stored key is made of; of a join only its rows are readable. */
function keyFields(node: StatefulPlanNode): readonly Field[] {
  switch (node.kind) {
    case "aggregate":
      return node.keys.map(({ name }) => node.schema.fields.find((field) => field.name === name)!);
    case "deduplicate":
    case "transformWithState":
    case "groupsWithState":
      return node.keys.map((name) => node.input.schema.fields.find((field) => field.name === name)!);
    default:
      return [];
  }
}
