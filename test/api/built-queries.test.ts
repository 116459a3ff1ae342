import { describe, expect, test } from "vitest";
import {
  col,
  columns,
  concat,
  count,
  dateTrunc,
  double,
  hour,
  interval,
  lit,
  long,
  memory,
  type Row,
  readStream,
  readTable,
  type StatefulProcessor,
  type StatefulProcessorHandle,
  sessionWindow,
  string,
  substring,
  sum,
  timestamp,
  unixMillis,
  upper,
  userAggregate,
  type ValueState,
  when,
  window,
} from "../../lib/index.js";
import { runQuery } from "./run-query.js";

const minute = 60_000;
const noon = Date.UTC(2024, 0, 1, 12);
const events = readStream(memory({ name: "events", schema: columns({ at: timestamp(), user: string(), n: long() }) }));
const timed = events.withWatermark("at", "1 minute");
const rows = [
  { at: noon, user: "ann", n: 1 },
  { at: noon + 2 * minute, user: "bob", n: 20 },
  { at: noon + 7 * minute, user: "ann", n: 300 },
];
const write = { queryName: "q", outputMode: "append", sink: memory() } as const;
const run = (
  query: Parameters<typeof runQuery>[0],
  inputs: Readonly<Record<string, readonly Row[]>> = { events: rows },
) => runQuery(query, inputs, noon + 1000 * minute);

describe("built queries run", () => {
  test("expressions and functions over columns", () => {
    const query = events
      .filter(col("n").lt(100))
      .filter((row) => row.user !== "nobody")
      .select("user", {
        half: col("n").dividedBy(2),
        size: when(col("n").ge(10), "big").otherwise(lit(null)),
        label: concat(upper(col("user")), ":", substring(col("user"), 1, 1)),
        h: hour(col("at")),
        day: dateTrunc("day", col("at")),
        next: unixMillis(col("at").plus(interval("1 second"))),
      })
      .withColumn("twice", (row) => (row.half ?? 0) * 4, double())
      .rename({ user: "who" })
      .drop("day")
      .writeStream(write);
    expect(run(query)).toEqual([
      { who: "ann", half: 0.5, size: null, label: "ANN:a", h: 12, next: noon + 1000, twice: 2 },
      { who: "bob", half: 10, size: "big", label: "BOB:b", h: 12, next: noon + 2 * minute + 1000, twice: 40 },
    ]);
  });

  test("windows with a user-defined aggregate", () => {
    const query = timed
      .groupBy(window("at", "5 minutes"))
      .agg({
        n: count(),
        total: sum("n"),
        users: userAggregate("user", {
          init: () => "",
          add: (text, user: string | null) => text + (user ?? "-"),
          merge: (a, b) => a + b,
          finish: (text) => text,
        }),
      })
      .writeStream(write);
    expect(run(query)).toEqual([
      { window: { start: noon, end: noon + 5 * minute }, n: 2, total: 21, users: "annbob" },
      { window: { start: noon + 5 * minute, end: noon + 10 * minute }, n: 1, total: 300, users: "ann" },
    ]);
  });

  test("sessions whose gap is a function of the row", () => {
    const query = timed
      .groupBy(
        sessionWindow("at", (row) => (row["n"] === 20 ? null : "10 minutes")),
        "user",
      )
      .agg({ total: sum("n") })
      .writeStream(write);
    expect(run(query)).toEqual([{ session_window: { start: noon, end: noon + 17 * minute }, user: "ann", total: 301 }]);
  });

  test("flatMap, then deduplication", () => {
    const query = timed
      .flatMap((row) => [row, row], { eventTime: "at" })
      .dropDuplicates(["user"])
      .writeStream(write);
    expect(run(query)).toEqual([rows[0], rows[1]]);
  });

  test("a join with a table, and one of two streams within time bounds", () => {
    const names = readTable({
      name: "names",
      schema: columns({ user: string(), name: string() }),
      rows: [{ user: "ann", name: "Ann" }],
    });
    const looked = events
      .join(names, { using: ["user"] })
      .select("name", "n")
      .writeStream(write);
    expect(run(looked)).toEqual([
      { name: "Ann", n: 1 },
      { name: "Ann", n: 300 },
    ]);
    const buys = readStream(memory({ name: "buys", schema: columns({ bought: timestamp(), buyer: string() }) }));
    const joined = timed
      .join(buys.withWatermark("bought", "1 minute"), {
        type: "leftOuter",
        on: (event, buy) => event.user.eq(buy.buyer),
        within: { from: "0 seconds", to: "5 minutes" },
      })
      .select("n", "bought")
      .writeStream(write);
    expect(run(joined, { events: rows, buys: [{ bought: noon + minute, buyer: "ann" }] })).toEqual([
      { n: 1, bought: noon + minute },
      { n: 20, bought: null },
      { n: 300, bought: null },
    ]);
  });

  test("user code over state", () => {
    class Seen implements StatefulProcessor<{ user: string | null }> {
      #seen!: ValueState<number>;
      init(handle: StatefulProcessorHandle) {
        this.#seen = handle.getValueState("seen");
      }
      *handleInputRows(key: { user: string | null }, input: readonly Row[]) {
        this.#seen.update((this.#seen.get() ?? 0) + input.length);
        yield { ...key, seen: this.#seen.get() ?? 0 };
      }
    }
    const query = events
      .groupBy("user")
      .transformWithState(() => new Seen(), { columns: columns({ user: string(), seen: long() }) })
      .writeStream(write);
    expect(run(query)).toEqual([
      { user: "ann", seen: 2 },
      { user: "bob", seen: 1 },
    ]);
  });

  test("a union brings columns into the first input's order", () => {
    const other = readStream(
      memory({ name: "other", schema: columns({ n: long(), user: string(), at: timestamp() }) }),
    );
    const query = events.union(other).writeStream(write);
    expect(run(query, { other: [{ n: 5, user: "cy", at: noon }] })).toEqual([{ at: noon, user: "cy", n: 5 }]);
    expect(Object.keys(run(query, { other: [{ n: 5, user: "cy", at: noon }] })[0] ?? {})).toEqual(["at", "user", "n"]);
  });
});
