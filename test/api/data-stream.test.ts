import { describe, expect, test } from "vitest";
import {
  and,
  col,
  columns,
  count,
  type DataStream,
  double,
  interval,
  kinesis,
  long,
  memory,
  readStream,
  readTable,
  type StatefulProcessor,
  string,
  sum,
  timestamp,
  window,
} from "../../lib/index.js";
import type { Expression } from "../../lib/plan/expression.js";
import {
  aggregateNode,
  deduplicateNode,
  filterNode,
  joinNode,
  limitNode,
  makeWindow,
  mapNode,
  projectNode,
  sortNode,
  sourceNode,
  statefulNode,
  unionNode,
  watermarkNode,
} from "../../lib/plan/nodes/nodes.js";
import type { Schema } from "../../lib/plan/schema.js";
import { codeOf } from "../plan/plans.js";

const schema: Schema = {
  fields: [
    { name: "eventTime", type: "timestamp", nullable: true },
    { name: "page", type: "string", nullable: true },
    { name: "durationMs", type: "long", nullable: true },
  ],
};
const source = sourceNode("page-views", { kind: "kinesis", name: "page-views", stream: "page-views" }, schema);
const views = readStream(
  kinesis({
    stream: "page-views",
    schema: columns({ eventTime: timestamp(), page: string(), durationMs: long() }),
  }),
);
const timed = watermarkNode(source, "eventTime", "10 minutes");
const timedViews = views.withWatermark("eventTime", "10 minutes");
const column = (name: string, side?: "left" | "right"): Expression => ({
  kind: "column",
  name,
  ...(side === undefined ? {} : { side }),
});
const plain = (name: string) => ({ name, value: column(name) });
const planOf = (stream: Pick<DataStream<never, never, "none">, "plan">) => stream.plan;

describe("the builder writes the plans that the factories make", () => {
  test("readStream and withWatermark", () => {
    expect(planOf(timedViews)).toEqual(timed);
  });

  test("select keeps the order and renames", () => {
    const built = timedViews.select("page", { at: "eventTime", seconds: col("durationMs").dividedBy(1000) });
    expect(planOf(built)).toEqual(
      projectNode(timed, [
        plain("page"),
        { name: "at", value: column("eventTime") },
        {
          name: "seconds",
          value: {
            kind: "call",
            fn: "div",
            args: [column("durationMs"), { kind: "literal", value: 1000, type: "int" }],
          },
        },
      ]),
    );
  });

  test("withColumn overwrites in place and appends otherwise", () => {
    const value: Expression = {
      kind: "call",
      fn: "add",
      args: [column("eventTime"), { kind: "interval", micros: 1_000_000, text: "1 second" }],
    };
    const later = col("eventTime").plus(interval("1 second"));
    expect(planOf(views.withColumn("eventTime", later))).toEqual(
      projectNode(source, [{ name: "eventTime", value }, plain("page"), plain("durationMs")]),
    );
    expect(planOf(views.withColumn("later", later))).toEqual(
      projectNode(source, [plain("eventTime"), plain("page"), plain("durationMs"), { name: "later", value }]),
    );
  });

  test("rename and drop are projections", () => {
    expect(planOf(views.rename({ page: "url" }).drop("durationMs"))).toEqual(
      projectNode(
        projectNode(source, [plain("eventTime"), { name: "url", value: column("page") }, plain("durationMs")]),
        [plain("eventTime"), plain("url")],
      ),
    );
  });

  test("filter by an expression", () => {
    expect(planOf(views.filter(and(col("page").isNotNull(), col("durationMs").gt(5))))).toEqual(
      filterNode(source, {
        kind: "call",
        fn: "and",
        args: [
          { kind: "call", fn: "isNotNull", args: [column("page")] },
          { kind: "call", fn: "gt", args: [column("durationMs"), { kind: "literal", value: 5, type: "int" }] },
        ],
      }),
    );
  });

  test("groupBy and agg", () => {
    const built = timedViews
      .groupBy(window("eventTime", "5 minutes", { slide: "1 minute" }), "page", { long: col("durationMs").gt(1) })
      .agg({ views: count(), dwell: sum("durationMs") }, { id: "per-page" });
    expect(planOf(built)).toEqual(
      aggregateNode(timed, {
        window: makeWindow({ column: "eventTime", size: "5 minutes", slide: "1 minute" }),
        keys: [
          plain("page"),
          {
            name: "long",
            value: {
              kind: "call",
              fn: "gt",
              args: [column("durationMs"), { kind: "literal", value: 1, type: "int" }],
            },
          },
        ],
        aggregates: [
          { as: "views", fn: "count" },
          { as: "dwell", fn: "sum", value: column("durationMs") },
        ],
        operatorId: "per-page",
      }),
    );
  });

  test("deduplication, union, limit, order", () => {
    expect(planOf(timedViews.dropDuplicates(["page", "eventTime"]))).toEqual(
      deduplicateNode(timed, { keys: ["page", "eventTime"] }),
    );
    expect(planOf(timedViews.dropDuplicatesWithinWatermark(["page"], { id: "d" }))).toEqual(
      deduplicateNode(timed, { keys: ["page"], withinWatermark: true, operatorId: "d" }),
    );
    expect(planOf(timedViews.union(views))).toEqual(unionNode(timed, source));
    expect(planOf(views.orderBy("page", { column: "durationMs", descending: true }).limit(3))).toEqual(
      limitNode(
        sortNode(source, [
          { name: "page", descending: false },
          { name: "durationMs", descending: true },
        ]),
        3,
      ),
    );
  });

  test("a join within time bounds", () => {
    const right = readStream(
      memory({ name: "buys", schema: columns({ boughtAt: timestamp(), on: string() }) }),
    ).withWatermark("boughtAt", "1 minute");
    const built = timedViews.join(right, {
      type: "leftOuter",
      on: (view, buy) => view.page.eq(buy.on),
      within: { from: "0 seconds", to: "1 hour" },
    });
    const bound = (fn: "ge" | "le", text: string, micros: number): Expression => ({
      kind: "call",
      fn,
      args: [
        column("boughtAt", "right"),
        { kind: "call", fn: "add", args: [column("eventTime", "left"), { kind: "interval", micros, text }] },
      ],
    });
    expect(planOf(built)).toEqual(
      joinNode(timed, right.plan, {
        type: "leftOuter",
        on: {
          kind: "call",
          fn: "and",
          args: [
            { kind: "call", fn: "eq", args: [column("page", "left"), column("on", "right")] },
            bound("ge", "0 seconds", 0),
            bound("le", "1 hour", 3_600_000_000),
          ],
        },
      }),
    );
  });

  test("functions stand beside the plan under an id", () => {
    const toRow = (row: { readonly eventTime: number | null }) => ({ at: row.eventTime });
    const built = timedViews.map(toRow, { columns: columns({ at: timestamp() }), eventTime: "at" });
    const [[id, kept] = ["", null]] = Object.entries(built.functions);
    expect(kept).toBe(toRow);
    expect(planOf(built)).toEqual(
      mapNode(timed, {
        kind: "map",
        function: id,
        schema: { fields: [{ name: "at", type: "timestamp", nullable: true }] },
        eventTime: "at",
      }),
    );
  });

  test("transformWithState", () => {
    const processor = (): StatefulProcessor<{ page: string | null }> => ({
      init: () => undefined,
      handleInputRows: () => [],
    });
    const built = timedViews.groupBy("page").transformWithState(processor, { timeMode: "eventTime" });
    expect(planOf(built)).toEqual(
      statefulNode(timed, {
        kind: "transformWithState",
        keys: ["page"],
        function: Object.keys(built.functions)[0]!,
        timeMode: "eventTime",
        outputMode: "append",
        schema: { fields: [], open: true },
      }),
    );
  });
});

describe("what a verb cannot honour it refuses when called", () => {
  test("names that are not there, also where the types were silenced", () => {
    const loose = views as unknown as DataStream<Record<string, never>, never, "none">;
    expect(codeOf(() => loose.select("nope"))).toBe("unknown-column");
    expect(codeOf(() => loose.drop("nope"))).toBe("unknown-column");
    expect(codeOf(() => loose.rename({ nope: "x" } as never))).toBe("unknown-column");
    expect(codeOf(() => loose.groupBy("nope").agg({ n: count() }))).toBe("unknown-column");
    expect(codeOf(() => loose.withWatermark("nope" as never, "1 s"))).toBe("unknown-column");
  });

  test("event time that is none", () => {
    expect(codeOf(() => views.withWatermark("durationMs" as never, "1 s"))).toBe("event-time-type");
    expect(codeOf(() => views.groupBy(window("page", "1 s") as never).agg({ n: count() }))).toBe("event-time-type");
  });

  test("within without event time, or without a time between", () => {
    const right = readStream(memory({ name: "b", schema: columns({ t: timestamp(), k: string() }) }));
    const on = (l: { readonly page: ReturnType<typeof col<"page">> }, r: { readonly k: ReturnType<typeof col<"k">> }) =>
      l.page.eq(r.k);
    expect(codeOf(() => timedViews.join(right, { on, within: { to: "1 hour" } }))).toBe("within-without-watermark");
    expect(
      codeOf(() => timedViews.join(right.withWatermark("t", "1 s"), { on, within: { from: "2 hours", to: "1 hour" } })),
    ).toBe("within-empty");
  });

  test("state by anything but columns", () => {
    const processor = (): StatefulProcessor => ({ init: () => undefined, handleInputRows: () => [] });
    const grouped = timedViews.groupBy(window("eventTime", "5 minutes"));
    expect(codeOf(() => grouped.transformWithState(processor as never))).toBe("stateful-keys");
  });

  test("verbs that must name all columns, where names are known only as rows come", () => {
    const open = views.map((row) => ({ at: row.eventTime, n: 1 }), { eventTime: "at" });
    expect(codeOf(() => open.withColumn("x", col("n")))).toBe("open-columns");
    expect(codeOf(() => open.rename({ n: "m" }))).toBe("open-columns");
    expect(codeOf(() => open.drop("n"))).toBe("open-columns");
    expect(codeOf(() => open.distinct())).toBe("open-columns");
    expect(codeOf(() => open.join(timedViews, { on: (l, r) => l.n.eq(r.durationMs) }))).toBe("open-columns");
    expect(codeOf(() => open.select("at", "n").withColumn("x", col("n")))).toBe("accepted");
    expect(codeOf(() => open.groupBy(window("at", "5 minutes")).agg({ total: sum("n") }))).toBe("accepted");
  });

  test("two windows in one grouping", () => {
    const keys = [window("eventTime", "5 minutes"), window("eventTime", "1 hour", { as: "w2" })] as const;
    expect(codeOf(() => timedViews.groupBy(...keys).agg({ n: count() }))).toBe("multiple-windows");
  });
});

test("a stream is immutable: a verb returns another and changes nothing", () => {
  const before = JSON.stringify(timedViews.plan);
  timedViews.filter(() => true).groupBy("page");
  expect(JSON.stringify(timedViews.plan)).toBe(before);
  expect(Object.isFrozen(timedViews.plan)).toBe(true);
  expect(timedViews.functions).toEqual({});
});

test("a fixed table completes its rows with null", () => {
  const table = readTable({
    name: "pages",
    schema: columns({ url: string(), weight: double() }),
    rows: [{ url: "/" }],
  });
  expect(planOf(table)).toMatchObject({ kind: "static", descriptor: { rows: [{ url: "/", weight: null }] } });
});
