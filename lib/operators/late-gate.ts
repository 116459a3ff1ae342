import type { ColumnBatch } from "../columns/column-batch.js";
import type { Row } from "../plan/schema.js";
import type { EventTime, Micros } from "../time/event-time.js";
import { type EventTimeColumn, eventTimeOf, isLate } from "./event-time-column.js";
import type { LateRow, PassContext } from "./operator.js";
import { noCounts, type PassCounts } from "./pass-counts.js";

/** A late row as the operator knows it; the gate adds who says so and by which watermark. */
interface MissedRow {
  readonly eventTime: EventTime;
  readonly missed: NonNullable<LateRow["missed"]>;
  readonly partial?: true;
}

/**
 * Where rows enter a stateful operator: each is counted, and each late one goes to the late output. `column` null: nothing is late.
 * Operators whose groups say what is late (windows, sessions) count for themselves and report with `report`.
 */
interface LateGate {
  /** Begins a pass. The counts are the operator's to go on with; of several inputs they may be the same. */
  begin(pass: PassContext, count?: PassCounts): PassCounts;
  /** False: the row is late. `bound` is `boundOf(column, row)`. */
  admit(batch: ColumnBatch, row: number, bound: Micros | null): boolean;
  report(batch: ColumnBatch, row: number, late: MissedRow): void;
  /** A row that belongs to no group, for want of a time. */
  reject(batch: ColumnBatch, row: number, reason: string): void;
}

export function lateGate(operatorId: string, column: EventTimeColumn | null): LateGate {
  let pass: PassContext;
  let count = noCounts();
  return {
    begin(context, counts = noCounts()) {
      pass = context;
      count = counts;
      return count;
    },
    admit(batch, at, bound) {
      count.rowsIn++;
      const watermark = pass.watermarkForLateEvents;
      if (column === null || !isLate(bound, watermark)) {
        count.accepted++;
        return true;
      }
      count.late++;
      const row = batch.row(at);
      const origin = batch.origin(at);
      pass.late({ operatorId, row, origin, eventTime: eventTimeOf(column, row), watermark, ...missedBy(column, row) });
      return false;
    },
    report(batch, at, late) {
      const [row, origin] = [batch.row(at), batch.origin(at)];
      pass.late({ operatorId, row, origin, watermark: pass.watermarkForLateEvents, ...late });
    },
    reject(batch, at, reason) {
      count.withoutTime++;
      pass.withoutTime({ operatorId, row: batch.row(at), origin: batch.origin(at), reason });
    },
  };
}

/** A row that carries a window has missed that one. */
const missedBy = ({ type, name }: EventTimeColumn, row: Row): Pick<LateRow, "missed"> =>
  type === "window" ? { missed: [row[name] as NonNullable<LateRow["missed"]>[number]] } : {};
