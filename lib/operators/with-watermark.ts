import type { Row } from "../plan/schema.js";
import type { EventTime } from "../time/event-time.js";
import { NO_ROWS, type Operator, type Origin } from "./operator.js";

interface WatermarkSpec {
  readonly column: string;
  /** Where the column is not a timestamp yet: its values become event times in place; null: none. */
  readonly cast: ((value: unknown) => EventTime | null) | null;
  /** Sees every row's event time in arrival order; null: the row has none. */
  readonly observe: (eventTime: EventTime | null, origin: Origin | null) => void;
}

/** withWatermark: observes and passes on; what is late is for the stateful operators above to say (SEMANTICS G1). */
export function watermarkOperator({ column, cast, observe }: WatermarkSpec): Operator {
  const timed = (row: Row): Row => ({ ...row, [column]: cast!(row[column] ?? null) });
  return {
    beginPass() {},
    process(chunk) {
      // A row that another branch shares is copied before its column changes.
      const rows = cast === null ? chunk.rows : chunk.rows.map(timed);
      const { origin } = chunk;
      for (let i = 0; i < rows.length; i++) {
        observe((rows[i]![column] ?? null) as EventTime | null, origin === null ? null : origin[i]!);
      }
      return cast === null ? chunk : { rows, origin };
    },
    endPass: () => NO_ROWS,
  };
}
