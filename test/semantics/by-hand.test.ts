import { describe, expect, it } from "vitest";
import {
  columns,
  count,
  type LateRule,
  long,
  memory,
  readStream,
  readTable,
  sessionWindow,
  string,
  timestamp,
  window,
} from "../../lib/index.js";
import type { QueryDefinition } from "../../lib/plan/logical-plan.js";
import { type Engine, engine, seconds, send } from "../runtime/support/engine.js";

/** Rules of SEMANTICS that no recording shows under this name; answers worked out by hand. Times are seconds. */

const schema = columns({ t: timestamp(), k: string(), v: long() });
const input = (delay = "0 seconds", name = "input") => readStream(memory({ name, schema })).withWatermark("t", delay);
const output = { queryName: "rules", outputMode: "append", sink: memory() } as const;

type Sent = readonly [t: number | null, k: string | null, v?: number | null];
const rowsOf = (rows: readonly Sent[]) => rows.map(([t, k, v = 1]) => ({ t: t === null ? null : seconds(t), k, v }));

/** Each call is a micro-batch of an environment of its own, rows by source; returns what it published. */
function player(e: Engine) {
  const sent = new Map<string, number>();
  let seen = 0;
  return async (batch: Readonly<Record<string, readonly Sent[]>>, definition?: QueryDefinition) => {
    const query = await e.start(definition);
    const deliveries = Object.entries(batch).map(([source, rows]) => {
      const first = sent.get(source) ?? 1;
      sent.set(source, first + rows.length);
      return send(first, rowsOf(rows), { source });
    });
    await query.processBatch(deliveries);
    const fresh = e.sink.rows().slice(seen);
    seen += fresh.length;
    return fresh;
  };
}

describe("null-safe keys", () => {
  const sides = () =>
    [
      input("0 seconds", "l").rename({ t: "lt", k: "lk", v: "lv" }),
      input("0 seconds", "r").rename({ t: "rt", k: "rk", v: "rv" }),
    ] as const;

  it("match NULL with NULL in a join of two streams, and nothing else with NULL", async () => {
    const [left, right] = sides();
    const joined = left.join(right, {
      on: (l, r) => l.lk.eqNullSafe(r.rk),
      within: { from: "0 seconds", to: "10 seconds" },
      type: "leftOuter",
    });
    const add = player(engine(joined.writeStream(output).definition));
    const first = await add({
      l: [
        [1, null],
        [2, "a"],
      ],
      r: [
        [3, null],
        [3, "b"],
      ],
    });
    expect(first.map(({ lk, rk, rt }) => [lk, rk, rt])).toEqual([[null, null, 3_000]]);
    expect((await add({ l: [[100, "z"]], r: [[100, "y"]] })).map(({ lk, rk }) => [lk, rk])).toEqual([["a", null]]);
  });

  it.each([
    [
      "eq",
      [
        ["a", "Ada"],
        [null, null],
        ["b", null],
      ],
    ],
    [
      "eqNullSafe",
      [
        ["a", "Ada"],
        [null, "nobody"],
        ["b", null],
      ],
    ],
  ] as const)("of a row find the NULL row of a table with eqNullSafe alone: %s", async (by, expected) => {
    const names = readTable({
      name: "names",
      schema: columns({ id: string(), title: string() }),
      rows: [{ title: "nobody" }, { id: "a", title: "Ada" }],
    });
    const named = input().join(names, { on: (l, r) => l.k[by](r.id), type: "leftOuter" });
    const add = player(engine(named.writeStream(output).definition));
    const rows = await add({
      input: [
        [1, "a"],
        [1, null],
        [1, "b"],
      ],
    });
    expect(rows.map(({ k, title }) => [k, title])).toEqual(expected);
  });

  it("of a table that stands on the left find the stream's rows, and its NULL key finds none", async () => {
    const names = readTable({
      name: "names",
      schema: columns({ id: string(), title: string() }),
      rows: [{ title: "nobody" }, { id: "a", title: "Ada" }, { id: "a", title: "Anna" }],
    });
    const named = names.join(input(), { on: (l, r) => l.id.eq(r.k) });
    const add = player(engine(named.writeStream(output).definition));
    const rows = await add({
      input: [
        [1, "a"],
        [1, null],
      ],
    });
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["a", "Ada", 1_000, "a", 1],
      ["a", "Anna", 1_000, "a", 1],
    ]);
  });
});

describe("a joined table below a window", () => {
  it("lets the watermark of the stream through", async () => {
    const names = readTable({
      name: "names",
      schema: columns({ id: string(), title: string() }),
      rows: [{ id: "a", title: "Ada" }],
    });
    const counted = input("5 seconds")
      .join(names, { on: (l, r) => l.k.eq(r.id), type: "leftOuter" })
      .groupBy(window("t", "10 seconds"), "title")
      .agg({ n: count() });
    const add = player(engine(counted.writeStream(output).definition));
    expect(
      await add({
        input: [
          [1, "a"],
          [2, "b"],
          [3, null],
        ],
      }),
    ).toEqual([]);
    const rows = await add({ input: [[15, "a"]] });
    expect(rows.map(({ title, n }) => [title, n])).toEqual([
      ["Ada", 1],
      [null, 2],
    ]);
  });
});

describe("the late rules", () => {
  const play = async (query: { definition: QueryDefinition }, ...batches: Sent[][]) => {
    const e = engine(query.definition);
    const add = player(e);
    for (const batch of batches) await add({ input: batch });
    return { e, late: e.sink.rows("late").map(({ eventTime }) => (eventTime as number) / 1000) };
  };

  it.each(["state", "event-time"] as const)(
    "say the same of raw event-time keys: at the watermark is late (%s)",
    async (lateRule) => {
      const counted = input()
        .groupBy("t", "k")
        .agg({ n: count() })
        .writeStream({ ...output, lateRule });
      const { e, late } = await play(
        counted,
        [
          [10, "a"],
          [20, "a"],
        ],
        [
          [20, "b"],
          [10, "b"],
          [20.001, "c"],
          [null, "d"],
        ],
        [[60, "z"]],
      );
      expect(late).toEqual([20, 10]);
      expect(e.sink.rows().map(({ t, k }) => [t, k])).toEqual([
        [10_000, "a"],
        [20_000, "a"],
        [20_001, "c"],
        [60_000, "z"],
      ]);
    },
  );

  it.each([
    ["state", 4],
    ["event-time", 3],
  ] as const)("differ over open windows (%s)", async (lateRule, inTheOpenOne) => {
    const counted = input()
      .groupBy(window("t", "10 seconds", { slide: "5 seconds" }))
      .agg({ n: count() })
      .writeStream({ ...output, lateRule });
    // The watermark is 10.0: [0,10) is closed, [5,15) is open.
    const { e, late } = await play(
      counted,
      [
        [5, "a"],
        [10, "a"],
      ],
      [
        [3, "late"],
        [9.999, "old"],
        [10, "a"],
      ],
      [[300, "z"]],
    );
    const closed = e.sink
      .rows()
      .map(({ window: w, n }) => [(w as { start: number }).start / 1000, n])
      .filter(([start]) => (start as number) >= 0);
    expect(late).toEqual([3, 9.999]);
    expect(e.sink.rows("late").map(({ partial }) => partial)).toEqual([false, lateRule === "state"]);
    expect(closed).toEqual([
      [0, 1],
      [5, inTheOpenOne],
      [10, 2],
    ]);
  });

  it("hold for sessions: a row of an open session that is behind the watermark is late by event time alone", async () => {
    const counted = (lateRule: LateRule) =>
      input()
        .groupBy(sessionWindow("t", "10 seconds"), "k")
        .agg({ n: count() })
        .writeStream({ ...output, lateRule });
    const batches: Sent[][] = [
      [
        [15, "a"],
        [20, "b"],
      ],
      [[12, "a"]],
      [[300, "z"]],
    ];
    const byState = await play(counted("state"), ...batches);
    expect(byState.late).toEqual([]);
    expect(byState.e.sink.rows()).toContainEqual({ session_window: { start: 12_000, end: 25_000 }, k: "a", n: 2 });
    const byTime = await play(counted("event-time"), ...batches);
    expect(byTime.late).toEqual([12]);
    expect(byTime.e.sink.rows()).toContainEqual({ session_window: { start: 15_000, end: 25_000 }, k: "a", n: 1 });
  });
});

describe("a limit", () => {
  it("counts on over a restart, and reads at most its number of rows from a batch, as Spark does", async () => {
    const e = engine(input().limit(3).writeStream(output).definition);
    const add = player(e);
    expect(
      await add({
        input: [
          [1, "a"],
          [2, "b"],
        ],
      }),
    ).toHaveLength(2);
    expect(
      (
        await add({
          input: [
            [3, "c"],
            [4, "d"],
            [5, "e"],
          ],
        })
      ).map(({ k }) => k),
    ).toEqual(["c"]);
    expect(await add({ input: [[9, "f"]] })).toEqual([]);
    expect(e.progress.map(({ numInputRows }) => numInputRows)).toEqual([2, 3, 1]);
  });
});

describe("a changed query over a checkpoint", () => {
  const counted = (delay: string, size = "10 seconds") =>
    input(delay).groupBy(window("t", size)).agg({ n: count() }).writeStream(output).definition;

  it("keeps its watermark when the delay grows, and old windows their bounds when the size changes", async () => {
    const e = engine(counted("5 seconds"));
    const add = player(e);
    expect(
      await add({
        input: [
          [1, "a"],
          [15, "a"],
        ],
      }),
    ).toMatchObject([{ window: { start: 0, end: 10_000 }, n: 1 }]);
    expect(
      await add(
        {
          input: [
            [9, "late"],
            [16, "a"],
          ],
        },
        counted("60 seconds"),
      ),
    ).toEqual([]);
    expect(e.sink.rows("late")).toHaveLength(1);
    expect(await add({ input: [[200, "a"]] }, counted("60 seconds", "20 seconds"))).toMatchObject([
      { window: { start: 10_000, end: 20_000 }, n: 2 },
    ]);
  });

  it("takes up a branch that was added, whose first rows hold the watermark until they come", async () => {
    const one = input().dropDuplicates(["k", "t"]).writeStream(output).definition;
    const two = input().union(input("0 seconds", "other")).dropDuplicates(["k", "t"]).writeStream(output).definition;
    const e = engine(one);
    const add = player(e);
    await add({ input: [[10, "a"]] });
    expect(
      await add(
        {
          input: [
            [11, "a"],
            [10, "a"],
          ],
        },
        two,
      ),
    ).toMatchObject([{ t: 11_000 }]);
    expect(await add({ input: [[50, "b"]] }, two)).toHaveLength(1);
    expect(await add({ other: [[30, "c"]] }, two)).toHaveLength(1);
    expect(
      await add(
        {
          input: [
            [29, "late"],
            [31, "d"],
          ],
        },
        two,
      ),
    ).toMatchObject([{ k: "d" }]);
  });
});

describe("a NULL event time", () => {
  it("of the preserved side of an outer join waits for ever and is not evicted with others", async () => {
    const left = input("0 seconds", "l").rename({ t: "lt", k: "lk", v: "lv" });
    const right = input("0 seconds", "r").rename({ t: "rt", k: "rk", v: "rv" });
    const joined = left.join(right, {
      on: (l, r) => l.lk.eq(r.rk),
      within: { from: "0 seconds", to: "10 seconds" },
      type: "leftOuter",
    });
    const e = engine(joined.writeStream(output).definition);
    const add = player(e);
    await add({
      l: [
        [null, "a"],
        [1, "a"],
      ],
      r: [[null, "a"]],
    });
    const padded = await add({ l: [[100, "z"]], r: [[100, "y"]] });
    expect(padded.map(({ lt, rt }) => [lt, rt])).toEqual([[1_000, null]]);
    // The row without a time and the two that are yet to be decided.
    expect(e.progress.at(-1)!.stateOperators[0]!.numRowsTotal).toBe(3);
  });
});
