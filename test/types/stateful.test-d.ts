import {
  columns,
  type GroupFunction,
  long,
  type Row,
  type StatefulProcessor,
  type StatefulProcessorHandle,
  string,
  timestamp,
  type ValueState,
} from "../../lib/index.js";
import { type Equal, expectType } from "./expect-type.js";
import { type RowIn, sink, type TimeIn, timedViews } from "./streams.js";

class Sightings implements StatefulProcessor<{ userId: string }> {
  #seen!: ValueState<number>;
  init(handle: StatefulProcessorHandle) {
    this.#seen = handle.getValueState<number>("seen");
  }
  *handleInputRows(key: { userId: string }, rows: readonly Row[]) {
    const seen = (this.#seen.get() ?? 0) + rows.length;
    this.#seen.update(seen);
    yield { ...key, seen, at: 0 };
  }
}

const open = timedViews.groupBy("userId").transformWithState(() => new Sightings(), { eventTime: "at" });
expectType<Equal<RowIn<typeof open>["seen"], number>>();
expectType<Equal<TimeIn<typeof open>, "at">>();
open.writeStream({ queryName: "q", outputMode: "append", sink });

const declared = timedViews.groupBy("userId").transformWithState(() => new Sightings(), {
  columns: columns({ userId: string(), seen: long(), at: timestamp() }),
  eventTime: "at",
});
expectType<Equal<RowIn<typeof declared>["seen"], number | bigint | null>>();

const visits: GroupFunction<{ userId: string }, Row, { userId: string; n: number }, number> = function* (
  key,
  rows,
  state,
) {
  const n = (state.getOption() ?? 0) + rows.length;
  state.update(n);
  yield { ...key, n };
};
const grouped = timedViews.groupBy("userId").flatMapGroupsWithState(visits, { outputMode: "update" });
expectType<Equal<RowIn<typeof grouped>, { readonly userId: string; readonly n: number }>>();
expectType<Equal<TimeIn<typeof grouped>, never>>();

// @ts-expect-error the processor is for another key
timedViews.groupBy("page").transformWithState(() => new Sightings());
// @ts-expect-error not a column of its rows
timedViews.groupBy("userId").transformWithState(() => new Sightings(), { eventTime: "when" });
