import { describe, expect, it } from "vitest";
import {
  col,
  columns,
  count,
  kafka,
  kinesis,
  long,
  memory,
  readStream,
  string,
  timestamp,
  upper,
  window,
} from "../../../lib/index.js";
import type { SinkConnector } from "../../../lib/plan/connectors/sink-connector.js";
import { defineQuery } from "../../../lib/plan/define-query.js";
import { explainQuery } from "../../../lib/plan/explain/explain-query.js";
import type { LogicalNode, OutputMode } from "../../../lib/plan/logical-plan.js";
import { partitioningOf } from "../../../lib/plan/partitioning/partitioning-of.js";
import { codeOf } from "../plans.js";

const Views = columns({ at: timestamp(), user: string(), page: string(), ms: long() });
const Clicks = columns({ seenAt: timestamp(), who: string(), link: string() });
const views = readStream(kinesis({ stream: "views", schema: Views })).withWatermark("at", "1 minute");
const clicks = readStream(kinesis({ stream: "clicks", schema: Clicks })).withWatermark("seenAt", "1 minute");

interface Options {
  readonly partitionBy?: readonly string[];
  readonly outputMode?: OutputMode;
  readonly sink?: SinkConnector;
}

const query = (
  { plan }: { readonly plan: LogicalNode },
  { partitionBy, outputMode = "append", sink = { kind: "memory" } }: Options = {},
) =>
  defineQuery({
    queryName: "q",
    outputMode,
    plan,
    sink,
    options: { statePartitions: 4, ...(partitionBy === undefined ? {} : { partitionBy }) },
  });

/** By partitioning column, its name in each input. */
const columnsOf = (...args: Parameters<typeof query>) => {
  const { plan, options } = query(...args);
  return partitioningOf(plan, options)!.columns.map(({ columns: names }) => names.join(" = "));
};
const refused = (...args: Parameters<typeof query>) => codeOf(() => query(...args));

const perUserAndPage = views.groupBy(window("at", "5 minutes"), "user", "page").agg({ n: count() });

describe("the columns that spread rows (S2)", () => {
  it("are the keys of the stateful operator, window and event time aside", () => {
    expect(columnsOf(perUserAndPage)).toEqual(["user", "page"]);
    expect(columnsOf(views.dropDuplicates(["user", "at"]))).toEqual(["user"]);
  });

  it("are what the keys of all of them have in common, under plain renames", () => {
    expect(
      columnsOf(
        views.dropDuplicates(["page", "at"]).groupBy(window("at", "5 minutes"), "user", "page").agg({ n: count() }),
      ),
    ).toEqual(["page"]);
    const renamed = views
      .dropDuplicates(["user", "at"])
      .rename({ user: "visitor" })
      .groupBy(window("at", "5 minutes"), "visitor", "page")
      .agg({ n: count() });
    expect(columnsOf(renamed)).toEqual(["user"]);
  });

  it("do not count expressions", () => {
    const computed = views
      .withColumn("site", upper(col("page")))
      .dropDuplicates(["user", "at"])
      .withColumn("visitor", upper(col("user")))
      .groupBy(window("at", "5 minutes"), "visitor")
      .agg({ n: count() });
    expect(refused(computed)).toBe("partition-keys");
    // Before the cut it is a column like any other.
    expect(columnsOf(views.withColumn("site", upper(col("page"))).dropDuplicates(["site", "at"]))).toEqual(["site"]);
  });

  it("are pairs of equal plain columns of one type in a join", () => {
    const joined = views.join(clicks, {
      on: (v, c) => v.user.eq(c.who),
      within: { from: "-1 minutes", to: "1 minutes" },
    });
    expect(columnsOf(joined)).toEqual(["user = who"]);
  });

  it("after an outer join are the preserved side's alone: the other is NULL in every partition [CS22]", () => {
    const padded = views.join(clicks, {
      type: "leftOuter",
      on: (v, c) => v.user.eq(c.who),
      within: { from: "-1 minutes", to: "1 minutes" },
    });
    const byUser = padded.select("at", "user").groupBy(window("at", "5 minutes"), "user").agg({ n: count() });
    const byWho = padded.select("at", "who").groupBy(window("at", "5 minutes"), "who").agg({ n: count() });
    expect(columnsOf(byUser)).toEqual(["user = who"]);
    expect(refused(byWho)).toBe("partition-keys");
  });

  it("may be fewer, by any input's name", () => {
    expect(columnsOf(perUserAndPage, { partitionBy: ["page"] })).toEqual(["page"]);
    expect(refused(perUserAndPage, { partitionBy: ["ms"] })).toBe("partition-by");
    expect(refused(perUserAndPage, { partitionBy: [] })).toBe("partition-by");
  });
});

describe("refused with several partitions", () => {
  it("are rows that meet no stateful operator (S1)", () => {
    expect(refused(views)).toBe("partition-without-state");
    expect(refused(views.dropDuplicates(["user", "at"]).union(views))).toBe("partition-without-state");
  });

  it("are operators without a key in common, a limit and a sort among them", () => {
    expect(refused(views.groupBy(window("at", "5 minutes")).agg({ n: count() }))).toBe("partition-keys");
    expect(refused(views.dropDuplicates(["user", "at"]).limit(5))).toBe("partition-keys");
    expect(refused(views.groupBy("user").agg({ n: count() }).orderBy("n"), { outputMode: "complete" })).toBe(
      "partition-keys",
    );
  });

  it("is any source but Kinesis and what stands in for it", () => {
    const topic = readStream(kafka({ topic: "views", schema: Views })).withWatermark("at", "1 minute");
    expect(refused(topic.dropDuplicates(["user", "at"]))).toBe("partition-source");
  });

  it("is a table whose key lacks a column: batch numbers of two partitions do not compare [CS23]", () => {
    const sink = { kind: "dynamodb", table: "t", key: ["page"] } as const;
    expect(refused(perUserAndPage, { sink })).toBe("partition-sink-key");
    expect(columnsOf(perUserAndPage, { sink, partitionBy: ["page"] })).toEqual(["page"]);
  });

  it("is a table that each batch replaces whole, and a Delta key that lacks a column", () => {
    const sink = { kind: "delta", path: "t" } as const;
    const perUser = views.groupBy("user").agg({ n: count() });
    expect(refused(perUser, { sink, outputMode: "complete" })).toBe("partition-sink-whole");
    expect(refused(perUserAndPage, { sink: { ...sink, key: ["page"] }, outputMode: "update" })).toBe(
      "partition-sink-key",
    );
    expect(columnsOf(perUserAndPage, { sink })).toEqual(["user", "page"]);
  });

  it("is a number of partitions outside 1 … 1,024, and partitionBy with one", () => {
    const build = (options: { statePartitions: number; partitionBy?: readonly string[] }) =>
      codeOf(() =>
        views
          .dropDuplicates(["user", "at"])
          .writeStream({ queryName: "q", outputMode: "append", sink: memory(), options }),
      );
    expect(build({ statePartitions: 0 })).toBe("option-invalid");
    expect(build({ statePartitions: 1_025 })).toBe("option-invalid");
    expect(build({ statePartitions: 1.5 })).toBe("option-invalid");
    expect(build({ statePartitions: 1, partitionBy: ["user"] })).toBe("option-invalid");
    expect(build({ statePartitions: 1_024 })).toBe("accepted");
  });
});

it("explain() names both stages, and what spreads the rows", () => {
  const lines = explainQuery(query(perUserAndPage)).split("\n");
  const from = lines.indexOf("Stages, 4 state partitions");
  expect(lines.slice(from, from + 5)).toEqual([
    "Stages, 4 state partitions",
    "  shuffle stage, one ring per source shard",
    "    views: up to withWatermark at, delay threshold 1 minute",
    "    rows are spread by user, page, through a Kinesis stream of the query's own",
    "  state stage, one log per partition",
  ]);
});
