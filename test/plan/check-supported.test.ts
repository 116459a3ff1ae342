import { describe, expect, test } from "vitest";
import { refusalsOf } from "../../lib/plan/check-supported.js";
import type { CheckContext } from "../../lib/plan/checks/check.js";
import type { LogicalNode, OutputMode } from "../../lib/plan/logical-plan.js";
import {
  aggregateNode,
  deduplicateNode,
  joinNode,
  limitNode,
  makeSession,
  mapNode,
  projectNode,
  sortNode,
  sourceNode,
  statefulNode,
  staticNode,
  unionNode,
  watermarkNode,
} from "../../lib/plan/nodes/nodes.js";
import {
  call,
  clicks,
  column,
  countPerWindow,
  events,
  interval,
  keep,
  schemaOf,
  timedClicks,
  timedEvents,
} from "./plans.js";

const codes = (plan: LogicalNode, outputMode: OutputMode = "append", more: Partial<CheckContext> = {}) =>
  refusalsOf({
    plan,
    outputMode,
    sinks: [{ kind: "memory" }],
    allowMultipleStatefulOperators: true,
    statePartitions: 1,
    ...more,
  }).map(({ code }) => code);

const sameUser = call("eq", column("user", "left"), column("rk", "right"));
const within = call(
  "and",
  sameUser,
  call("ge", column("rts", "right"), column("ts", "left")),
  call("le", column("rts", "right"), call("add", column("ts", "left"), interval(10))),
);

describe("output modes", () => {
  test("append wants event time among the keys", () => {
    expect(codes(countPerWindow(events))).toEqual(["append-without-watermark"]);
    expect(codes(countPerWindow(timedEvents))).toEqual([]);
    const perUser = aggregateNode(timedEvents, { keys: [keep("user")], aggregates: [] });
    expect(codes(perUser)).toEqual(["append-without-watermark"]);
    expect(codes(perUser, "update")).toEqual([]);
  });

  test("complete wants an aggregation", () => {
    expect(codes(events, "complete")).toEqual(["complete-without-aggregation"]);
    expect(codes(countPerWindow(events), "complete")).toEqual([]);
  });

  test("sorting and limits", () => {
    const counts = countPerWindow(timedEvents);
    const sorted = limitNode(sortNode(counts, [{ name: "count", descending: true }]), 3);
    expect(codes(sorted, "complete")).toEqual([]);
    expect(codes(sorted, "update")).toContain("sort-unsupported");
    expect(codes(limitNode(events, 3), "update")).toEqual(["limit-output-mode"]);
    expect(codes(limitNode(events, 3))).toEqual([]);
  });

  test("the sink must hold what the mode emits", () => {
    const counts = countPerWindow(timedEvents);
    expect(codes(counts, "update", { sinks: [{ kind: "s3" }] })).toEqual(["sink-output-mode"]);
    expect(codes(counts, "update", { sinks: [{ kind: "dynamodb", table: "t", key: ["window"] }] })).toEqual([]);
    expect(codes(counts, "update", { sinks: [{ kind: "dynamodb", table: "t", key: ["user"] }] })).toEqual(["sink-key"]);
    expect(codes(counts, "append", { sinks: [{ kind: "kinesis", stream: "s", partitionKey: "user" }] })).toEqual([
      "sink-key",
    ]);
    for (const key of [[], ["window", "count", "window"], undefined])
      expect(codes(counts, "update", { sinks: [{ kind: "dynamodb", table: "t", key: key as never }] })).toEqual([
        "sink-key",
      ]);
    const delta = { kind: "delta", path: "t" } as const;
    expect(codes(counts, "append", { sinks: [delta] })).toEqual([]);
    expect(codes(counts, "update", { sinks: [delta] })).toEqual(["sink-key"]);
    expect(codes(counts, "update", { sinks: [{ ...delta, key: ["window"] }] })).toEqual([]);
    expect(codes(counts, "append", { sinks: [{ ...delta, partitionBy: ["none"] }] })).toEqual(["sink-key"]);
    expect(codes(counts, "append", { sinks: [{ ...delta, partitionBy: ["window"] }] })).toEqual(["sink-partition"]);
    expect(codes(counts, "append", { sinks: [{ ...delta, partitionBy: ["count"] }] })).toEqual([]);
    const [s3, table] = [{ kind: "s3" } as const, { kind: "dynamodb", table: "t", key: ["window"] } as const];
    expect(codes(counts, "append", { sinks: [s3, table] })).toEqual([]);
    expect(codes(counts, "update", { sinks: [table, s3] })).toEqual(["sink-output-mode"]);
    expect(codes(counts, "append", { sinks: [s3, { ...s3, prefix: "/" }] })).toEqual(["sink-twice"]);
    const mapped = mapNode(events, { kind: "map", function: "f", schema: { fields: [], open: true } });
    expect(codes(mapped, "append", { sinks: [{ kind: "s3", format: "parquet" }] })).toEqual(["sink-open-schema"]);
    expect(codes(mapped, "append", { sinks: [{ kind: "s3" }] })).toEqual([]);
  });
});

describe("sessions", () => {
  const sessions = (keys: readonly string[]) =>
    aggregateNode(timedEvents, {
      window: makeSession("ts", "5 minutes"),
      keys: keys.map((key) => keep(key)),
      aggregates: [],
    });

  test("have no update mode and want a key", () => {
    expect(codes(sessions(["user"]))).toEqual([]);
    expect(codes(sessions(["user"]), "update")).toEqual(["session-update"]);
    expect(codes(sessions([]))).toEqual(["session-without-keys"]);
  });
});

describe("chains", () => {
  const hourly = (mode: OutputMode) =>
    codes(countPerWindow(countPerWindow(timedEvents), "window", "1 hour", "h"), mode);

  test("of aggregations run in append mode alone", () => {
    expect(hourly("append")).toEqual([]);
    expect(hourly("update")).toEqual(["chain-late-rows"]);
    expect(hourly("complete")).toEqual(["chain-late-rows"]);
  });

  test("of deduplication and aggregation run in any mode", () => {
    const plan = countPerWindow(deduplicateNode(timedEvents, { keys: ["user"] }));
    expect((["append", "update", "complete"] as const).flatMap((mode) => codes(plan, mode))).toEqual([]);
  });

  test("an operator sees one event time only", () => {
    const joined = joinNode(timedEvents, timedClicks, { type: "inner", on: within });
    expect(codes(deduplicateNode(joined, { keys: ["user"] }))).toEqual(["multiple-event-time-columns"]);
    expect(codes(deduplicateNode(projectNode(joined, [keep("user"), keep("ts")]), { keys: ["user"] }))).toEqual([]);
    expect(codes(countPerWindow(joined))).toEqual([]);
  });

  test("a watermark is declared once, unless legacy mode is asked for", () => {
    const twice = countPerWindow(watermarkNode(timedEvents, "ts", "1 minute"));
    expect(codes(twice)).toEqual(["watermark-redefined"]);
    expect(codes(twice, "append", { allowMultipleStatefulOperators: false })).toEqual([]);
  });

  test("a watermark on each input of a union is no redefinition, one more above is", () => {
    const other = projectNode(timedClicks, [keep("rts", "ts"), keep("rk", "user"), keep("rv", "value")]);
    const union = unionNode(timedEvents, other);
    expect(codes(countPerWindow(union))).toEqual([]);
    expect(codes(countPerWindow(watermarkNode(union, "ts", "1 second")))).toEqual(["watermark-redefined"]);
  });
});

describe("joins", () => {
  const join = (type: Parameters<typeof joinNode>[2]["type"], on = within, left = timedEvents, right = timedClicks) =>
    joinNode(left, right, { type, on });

  test("inner joins need an equality and nothing else", () => {
    expect(codes(join("inner", sameUser))).toEqual([]);
    expect(codes(join("inner", call("ge", column("rts", "right"), column("ts", "left"))))).toEqual([
      "join-without-equality",
    ]);
  });

  test("outer and semi joins need watermarks on both sides and a bound on the side that waits", () => {
    for (const type of ["leftOuter", "rightOuter", "fullOuter", "leftSemi"] as const) {
      expect(codes(join(type))).toEqual([]);
      expect(codes(join(type, sameUser))).toEqual(["join-never-emits"]);
      expect(codes(join(type, within, timedEvents, clicks as never))).toEqual(["join-never-emits"]);
      expect(codes(join(type, within, events as never, timedClicks))).toEqual(["join-never-emits"]);
    }
  });

  test("outer joins are for append mode, no join for complete, left anti for none", () => {
    expect(codes(join("leftOuter"), "update")).toEqual(["join-output-mode"]);
    expect(codes(join("leftSemi"), "update")).toEqual([]);
    expect(codes(countPerWindow(join("inner")), "complete")).toEqual(["join-output-mode"]);
    expect(codes(join("leftAnti"))).toEqual(["join-left-anti"]);
  });

  test("a table may stand on the right, and on the left of an inner join", () => {
    const table = staticNode("t", { kind: "table", rows: [] }, clicks.schema);
    const withTable = (type: Parameters<typeof join>[0]) => codes(joinNode(timedEvents, table, { type, on: sameUser }));
    expect((["inner", "leftOuter", "leftSemi", "leftAnti"] as const).flatMap(withTable)).toEqual([]);
    expect(withTable("fullOuter")).toEqual(["join-static-side"]);
    const swapped = call("eq", column("rk", "left"), column("user", "right"));
    expect(codes(joinNode(table, timedEvents, { type: "inner", on: swapped }))).toEqual([]);
    expect(codes(joinNode(table, timedEvents, { type: "leftOuter", on: swapped }))).toEqual(["join-static-side"]);
  });
});

describe("tables", () => {
  const table = staticNode("t", { kind: "table", rows: [] }, clicks.schema);

  test("alone make no query", () => {
    expect(codes(table)).toEqual(["no-stream"]);
  });

  test("go through stateless verbs before their join, not through stateful ones", () => {
    const right = (plan: LogicalNode) => codes(joinNode(timedEvents, plan, { type: "inner", on: sameUser }));
    expect(right(projectNode(table, [keep("rk")]))).toEqual([]);
    expect(right(deduplicateNode(table, { keys: ["rk"] }))).toEqual(["static-verb"]);
  });

  test("do not unite with a stream", () => {
    expect(codes(unionNode(clicks, table))).toEqual(["union-static"]);
  });
});

describe("user code over state", () => {
  const stateful = (kind: "transformWithState" | "groupsWithState", outputMode: OutputMode, input: LogicalNode) =>
    statefulNode(input, {
      kind,
      keys: ["user"],
      function: "f",
      timeMode: "eventTime",
      outputMode,
      schema: { fields: [{ name: "ts", type: "timestamp", nullable: true }] },
    });

  test("declares the query's output mode", () => {
    expect(codes(stateful("groupsWithState", "update", timedEvents))).toEqual(["stateful-output-mode"]);
    expect(codes(stateful("groupsWithState", "update", timedEvents), "update")).toEqual([]);
  });

  test("with event-time timeout wants a watermark; timers without one merely never fire", () => {
    expect(codes(stateful("groupsWithState", "append", events))).toEqual(["timeout-without-watermark"]);
    expect(codes(stateful("transformWithState", "append", events))).toEqual([]);
  });
});

describe("names", () => {
  test("one id, one operator", () => {
    const twice = (id: string) =>
      deduplicateNode(deduplicateNode(timedEvents, { keys: ["user"], operatorId: id }), {
        keys: ["value"],
        operatorId: "a",
      });
    expect(codes(twice("a"))).toEqual(["duplicate-operator-id", "duplicate-operator-id"]);
    expect(codes(twice("b"))).toEqual([]);
  });

  test("one name, one source; a self union reads one source twice", () => {
    const other = sourceNode("events", { kind: "memory", across: "min" }, events.schema);
    expect(codes(unionNode(events, other))).toEqual(["duplicate-source-name", "duplicate-source-name"]);
    const schema = schemaOf({ ts: "timestamp", user: "string", value: "double" });
    expect(codes(unionNode(events, sourceNode("events", { kind: "memory" }, schema)))).toContain(
      "duplicate-source-name",
    );
    expect(codes(unionNode(events, events))).toEqual([]);
  });

  test("one stream, one name: nothing would be delivered under a second one", () => {
    const named = (name: string, stream: string) => sourceNode(name, { kind: "kinesis", stream }, events.schema);
    expect(codes(unionNode(named("a", "s"), named("b", "s")))).toEqual([
      "duplicate-source-name",
      "duplicate-source-name",
    ]);
    expect(codes(unionNode(named("a", "s"), named("b", "t")))).toEqual([]);
  });
});
