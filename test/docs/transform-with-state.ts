import {
  columns,
  kinesis,
  long,
  memory,
  type Row,
  readStream,
  type StatefulProcessor,
  type StatefulProcessorHandle,
  string,
  type TimerValues,
  timestamp,
  type ValueState,
} from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

const IDLE_MS = 30 * 60_000;

class Visits implements StatefulProcessor<{ userId: string | null }> {
  #seen!: ValueState<number>;
  #handle!: StatefulProcessorHandle;

  init(handle: StatefulProcessorHandle) {
    this.#handle = handle;
    this.#seen = handle.getValueState<number>("seen");
  }

  *handleInputRows(_key: { userId: string | null }, rows: readonly Row[], timers: TimerValues) {
    this.#seen.update((this.#seen.get() ?? 0) + rows.length);
    this.#handle.registerTimer((timers.getCurrentWatermarkInMs() ?? 0) + IDLE_MS);
    yield* [];
  }

  *handleExpiredTimer(key: { userId: string | null }) {
    yield { ...key, seen: this.#seen.get() ?? 0 };
    this.#seen.clear();
  }
}

export const visits = views
  .withWatermark("eventTime", "10 minutes")
  .groupBy("userId")
  .transformWithState(() => new Visits(), {
    timeMode: "eventTime",
    columns: columns({ userId: string(), seen: long() }),
    id: "visits",
  })
  .writeStream({ queryName: "visits", outputMode: "append", sink: memory() });
