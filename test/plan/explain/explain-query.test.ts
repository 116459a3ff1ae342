import { expect, test } from "vitest";
import { defineQuery } from "../../../lib/plan/define-query.js";
import { explainQuery } from "../../../lib/plan/explain/explain-query.js";
import type { LogicalNode, OutputMode } from "../../../lib/plan/logical-plan.js";
import { aggregateNode, deduplicateNode, joinNode, makeWindow } from "../../../lib/plan/nodes/nodes.js";
import { call, column, events, interval, keep, timedClicks, timedEvents } from "../plans.js";

const explain = (plan: LogicalNode, outputMode: OutputMode = "append") =>
  explainQuery(defineQuery({ queryName: "q", outputMode, plan, sink: { kind: "memory" } }));

const perUser = (input: LogicalNode) =>
  aggregateNode(input, {
    window: makeWindow({ column: "ts", size: "5 minutes", slide: "1 minute" }),
    keys: [keep("user")],
    aggregates: [{ as: "total", fn: "sum", value: column("value") }],
    operatorId: "per-user",
  });

test("a windowed aggregation, whole", () => {
  expect(explain(perUser(timedEvents))).toBe(`Query q: append mode to memory, watermark policy min, late rule state

Logical plan
  groupBy window = window(ts, 5 minutes, slide 1 minute), user agg total = sum(value)
    withWatermark ts, delay threshold 10 seconds
      source events (memory): ts timestamp, user string, value bigint
  result: window struct<start:timestamp,end:timestamp>, user string, total bigint

Physical plan, downstream first
  per-user
    watermark       window, delay threshold 10 seconds
    state key       window, user
    eviction        window.end <= watermark, emitted then
    generations     6 state rows per key: (10 seconds delay + 5 minutes window) / 1 minute slide
    append latency  5 minutes 10 seconds + trigger, after a window's start: 5 minutes window + 10 seconds delay

Warnings
  none`);
});

test("an update query without watermark is never evicted, and warned of", () => {
  const text = explain(perUser(events), "update");
  expect(text).toContain("eviction   never");
  expect(text).toContain("[aggregate-unbounded]");
  expect(text).not.toContain("append latency");
});

test("a join says how long each side is kept", () => {
  const on = call(
    "and",
    call("eq", column("user", "left"), column("rk", "right")),
    call("ge", column("rts", "right"), column("ts", "left")),
    call("le", column("rts", "right"), call("add", column("ts", "left"), interval(10))),
  );
  const text = explain(joinNode(timedEvents, timedClicks, { type: "inner", on }));
  expect(text).toContain("inner join on (left.user = right.rk) and (right.rts >= left.ts) and");
  expect(text).toContain("state key   left.user = right.rk");
  expect(text).toContain(
    "left rows   watermark ts, delay threshold 10 seconds; eviction: ts + 10 seconds 1 millisecond <= watermark",
  );
  expect(text).toContain(
    "right rows  watermark rts, delay threshold 10 seconds; eviction: rts + 1 millisecond <= watermark",
  );
});

test("a window above a join waits for the join too", () => {
  const on = call(
    "and",
    call("eq", column("user", "left"), column("rk", "right")),
    call("le", column("rts", "right"), call("add", column("ts", "left"), interval(60))),
  );
  const joined = joinNode(timedEvents, timedClicks, { type: "inner", on });
  expect(explain(perUser(joined))).toContain("1 minute 10 seconds 1 millisecond delay");
});

test("deduplication says when a key is forgotten", () => {
  expect(explain(deduplicateNode(timedEvents, { keys: ["user"], withinWatermark: true }))).toContain(
    "eviction   10 seconds after the event time of a key's first row",
  );
  expect(explain(deduplicateNode(timedEvents, { keys: ["user", "ts"] }))).toContain("eviction   ts <= watermark");
});

test("a stateless query keeps nothing", () => {
  expect(explain(events)).toContain("stateless: nothing is kept");
});
