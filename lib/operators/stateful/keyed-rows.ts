import type { ColumnBatch } from "../../columns/column-batch.js";
import type { Row } from "../../plan/schema.js";
import { boundsOf, type EventTimeColumn } from "../event-time-column.js";
import type { KeyColumns } from "../key-columns.js";
import { lateGate } from "../late-gate.js";
import type { PassContext } from "../operator.js";
import type { PassCounts } from "../pass-counts.js";

interface KeyedRowsSpec {
  readonly operatorId: string;
  readonly keys: KeyColumns;
  /** Null: nothing is late, whatever its time (SEMANTICS J1). */
  readonly lateBy: EventTimeColumn | null;
}

/** The rows of one pass by key: keys in order of first row, rows in order of arrival. Holds references, one batch of them. */
export interface KeyedRows {
  readonly groups: ReadonlyMap<string, Row[]>;
  readonly count: PassCounts;
  add(batch: ColumnBatch): void;
}

export function keyedRows(spec: KeyedRowsSpec, pass: PassContext): KeyedRows {
  const groups = new Map<string, Row[]>();
  const gate = lateGate(spec.operatorId, spec.lateBy);
  return {
    groups,
    count: gate.begin(pass),
    add(batch) {
      const boundAt = spec.lateBy === null ? null : boundsOf(spec.lateBy, batch);
      const keyAt = spec.keys.over(batch);
      for (const row of batch.selection) {
        const bound = boundAt === null ? null : boundAt(row);
        if (!gate.admit(batch, row, bound)) continue;
        const key = keyAt(row);
        const rows = groups.get(key);
        if (rows === undefined) groups.set(key, [batch.row(row)]);
        else rows.push(batch.row(row));
      }
    },
  };
}
