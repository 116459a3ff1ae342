import type { Row } from "../../plan/schema.js";
import { boundOf, type EventTimeColumn, isLate, lateRowOf } from "../event-time-column.js";
import type { KeyColumns } from "../key-columns.js";
import type { Chunk, PassContext } from "../operator.js";
import { noCounts, type PassCounts } from "../pass-counts.js";

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
  add(chunk: Chunk): void;
}

export function keyedRows(spec: KeyedRowsSpec, pass: PassContext): KeyedRows {
  const groups = new Map<string, Row[]>();
  const count = noCounts();
  return {
    groups,
    count,
    add(chunk) {
      count.rowsIn += chunk.rows.length;
      for (let i = 0; i < chunk.rows.length; i++) {
        const row = chunk.rows[i]!;
        if (spec.lateBy !== null && isLate(boundOf(spec.lateBy, row), pass.watermarkForLateEvents)) {
          count.late++;
          const origin = chunk.origin?.[i] ?? null;
          pass.late(lateRowOf(spec.operatorId, spec.lateBy, row, origin, pass.watermarkForLateEvents));
          continue;
        }
        count.accepted++;
        const key = spec.keys.encode(row);
        const rows = groups.get(key);
        if (rows === undefined) groups.set(key, [row]);
        else rows.push(row);
      }
    },
  };
}
