import { ColumnBatch, type Origins } from "../columns/column-batch.js";
import { overlaid } from "../columns/overlaid-table.js";
import type { Vector } from "../columns/vector.js";
import type { EventTime } from "../time/event-time.js";
import { vectorOf } from "./evaluate/reader.js";
import { NO_BATCHES, type Operator } from "./operator.js";

interface WatermarkSpec {
  readonly column: string;
  /** Where the column is not a timestamp yet: its values become event times in place; null: none. */
  readonly cast: ((value: unknown) => EventTime | null) | null;
  /** Sees the event time of every selected row in arrival order; NULL: the row has none. */
  readonly observe: (times: Vector, selection: Int32Array, origins: Origins | null) => void;
}

/** withWatermark: observes and passes on; what is late is for the stateful operators above to say (SEMANTICS G1). */
export function watermarkOperator({ column, cast, observe }: WatermarkSpec): Operator {
  const timesOf =
    cast === null
      ? null
      : vectorOf((batch) => {
          const values = batch.column(column);
          return (row) => cast(values.get(row));
        });
  return {
    beginPass() {},
    process(batch) {
      const { table, selection, origins } = batch;
      const times = timesOf === null ? batch.column(column) : timesOf(batch);
      observe(times, selection, origins);
      return timesOf === null ? batch : new ColumnBatch(overlaid(table, column, times), selection, origins);
    },
    endPass: () => NO_BATCHES,
  };
}
