import type { StatePartition } from "../../checkpoint/state-partition.js";
import type { StoredQuery } from "../../checkpoint/stored-query.js";
import type { AggregateSpec, QueryDefinition } from "../../plan/logical-plan.js";
import { isKind, nodesUpwards } from "../../plan/walk.js";
import { planQuery } from "../../planner/plan-query.js";
import type { TableSpec } from "../../state/state-store.js";
import type { OpenWindow } from "../../ui/messages.js";
import { type StateTable, stateTables } from "../state-tables.js";

/** Beyond so many state rows a look would cost more than it shows. */
const MAX_ROWS = 20_000;

/** The windows that a query holds open, read from its checkpoint as a standby would: warm after the first look. */
export type WindowLook = () => Promise<readonly OpenWindow[]>;

interface Windowed {
  readonly spec: TableSpec;
  readonly table: StateTable;
  readonly window: string;
  readonly count: AggregateSpec | undefined;
}

/** Null: the query has no windows. */
export function windowLook(definition: QueryDefinition, stored: () => Promise<StoredQuery>): WindowLook | null {
  const specs = planQuery(definition, { staticRows: () => [] }).tables;
  const windowed = windowedTables(definition, specs);
  if (windowed.length === 0) return null;
  let partitions: Promise<readonly StatePartition[]> | null = null;
  const open = async () => {
    const { meta, openPartition } = await stored();
    return Array.from({ length: meta.statePartitions }, (_, partition) => openPartition(partition, specs));
  };
  return async () => {
    partitions ??= open().catch((error: unknown) => {
      partitions = null;
      throw error;
    });
    const windows = new Map<number, OpenWindow>();
    for (const partition of await partitions) {
      await partition.load({ fresh: true });
      const state = partition.stage();
      for (const table of windowed) {
        const rows = state.table<unknown>(table.spec);
        if (rows.size > MAX_ROWS) continue;
        for (const row of rows.rows()) add(windows, table, table.table.toRow(row));
      }
    }
    return [...windows.values()];
  };
}

function windowedTables(definition: QueryDefinition, specs: readonly TableSpec[]): readonly Windowed[] {
  const nodes = nodesUpwards(definition.plan).filter(isKind("aggregate"));
  return stateTables(definition, specs).flatMap((table): readonly Windowed[] => {
    const node = nodes.find(({ operatorId }) => operatorId === table.operatorId);
    const spec = specs.find((each) => each.operatorId === table.operatorId && each.table === table.table);
    if (node?.window === undefined || spec === undefined) return [];
    const count = node.aggregates.find(({ fn, value }) => fn === "count" && value === undefined);
    return [{ spec, table, window: node.window.as, count }];
  });
}

function add(
  windows: Map<number, OpenWindow>,
  { window, count }: Windowed,
  row: Readonly<Record<string, unknown>>,
): void {
  const { start, end } = row[window] as { readonly start: number; readonly end: number };
  const before = windows.get(start);
  const rows = count === undefined ? null : Number(row[count.as]);
  windows.set(start, {
    start,
    end: Math.max(end, before?.end ?? end),
    groups: (before?.groups ?? 0) + 1,
    rows: rows === null ? null : (before?.rows ?? 0) + rows,
  });
}
