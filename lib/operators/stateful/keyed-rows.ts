import type { Row } from "../../plan/schema.js";
import { forEachRow } from "../chunk.js";
import type { EventTimeColumn } from "../event-time-column.js";
import type { KeyColumns } from "../key-columns.js";
import { lateGate } from "../late-gate.js";
import type { Chunk, PassContext } from "../operator.js";
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
  add(chunk: Chunk): void;
}

export function keyedRows(spec: KeyedRowsSpec, pass: PassContext): KeyedRows {
  const groups = new Map<string, Row[]>();
  const gate = lateGate(spec.operatorId, spec.lateBy);
  return {
    groups,
    count: gate.begin(pass),
    add(chunk) {
      forEachRow(chunk, (row, origin) => {
        if (!gate.admit(row, origin)) return;
        const key = spec.keys.encode(row);
        const rows = groups.get(key);
        if (rows === undefined) groups.set(key, [row]);
        else rows.push(row);
      });
    },
  };
}
