import { expect, test } from "vitest";
import type { LogicalNode, OutputMode } from "../../lib/plan/logical-plan.js";
import {
  aggregateNode,
  deduplicateNode,
  filterNode,
  joinNode,
  makeSession,
  projectNode,
  sourceNode,
  statefulNode,
  watermarkNode,
} from "../../lib/plan/nodes/nodes.js";
import { warningsOf } from "../../lib/plan/warnings-of.js";
import { call, column, countPerWindow, events, interval, keep, timedClicks, timedEvents } from "./plans.js";

const codes = (plan: LogicalNode, mode: OutputMode = "append") => warningsOf(plan, mode).map(({ code }) => code);

const sameUser = call("eq", column("user", "left"), column("rk", "right"));
const after = call("ge", column("rts", "right"), column("ts", "left"));
const soon = call("le", column("rts", "right"), call("add", column("ts", "left"), interval(10)));

test("a bounded window in append mode warns of nothing", () => {
  expect(codes(countPerWindow(timedEvents))).toEqual([]);
});

test("update mode without a watermark keeps its groups for ever", () => {
  expect(codes(countPerWindow(events), "update")).toEqual(["aggregate-unbounded"]);
});

test("complete mode with a watermark evicts nothing", () => {
  expect(codes(countPerWindow(timedEvents), "complete")).toEqual(["complete-with-watermark"]);
});

test("D3: complete mode without a watermark, or with one on another column, keeps every group for ever", () => {
  expect(codes(countPerWindow(events), "complete")).toEqual(["complete-without-watermark"]);
  const perUser = aggregateNode(timedEvents, { keys: [keep("user")], aggregates: [{ as: "n", fn: "count" }] });
  expect(codes(perUser, "complete")).toEqual(["complete-without-watermark"]);
});

test("D3: a filter over what an aggregation computes leaves rows behind in update mode", () => {
  const filtered = (name: string) => filterNode(countPerWindow(timedEvents), call("isNotNull", column(name)));
  expect(codes(filtered("count"), "update")).toEqual(["having-stale-rows"]);
  expect(codes(filtered("window"), "update")).toEqual([]);
  expect(codes(filtered("count"), "append")).toEqual([]);
});

test("D3: the policy max makes rows of the slower inputs late", () => {
  const pairs = joinNode(timedEvents, timedClicks, { type: "inner", on: call("and", sameUser, after, soon) });
  const max = (plan: LogicalNode) => warningsOf(plan, "append", "max").map(({ code }) => code);
  expect(max(pairs)).toEqual(["policy-max"]);
  expect(max(countPerWindow(timedEvents))).toEqual([]);
});

test("a watermark over a Kafka topic whose partitions are not counted waits for none of them", () => {
  const over = (options: object) =>
    countPerWindow(
      watermarkNode(
        sourceNode("orders", { kind: "kafka", topic: "orders", ...options }, events.schema),
        "ts",
        "1 minute",
      ),
    );
  expect(codes(over({}))).toEqual(["kafka-partitions-unknown"]);
  expect(codes(over({ across: "max" }))).toEqual([]);
  expect(codes(over({ partitions: 3 }))).toEqual([]);
});

test("a watermark that no stateful operator uses is said to be unused", () => {
  expect(codes(timedEvents)).toEqual(["watermark-unused"]);
  const lost = projectNode(timedEvents, [keep("user")]);
  const perUser = aggregateNode(lost, { keys: [keep("user")], aggregates: [{ as: "n", fn: "count" }] });
  expect(codes(perUser, "update")).toEqual(["aggregate-unbounded", "watermark-unused"]);
});

test("deduplication without the event time among its keys is unbounded", () => {
  expect(codes(deduplicateNode(timedEvents, { keys: ["user"] }))).toEqual(["dedup-unbounded"]);
  expect(codes(deduplicateNode(timedEvents, { keys: ["user", "ts"] }))).toEqual([]);
  expect(codes(deduplicateNode(timedEvents, { keys: ["user"], withinWatermark: true }))).toEqual([]);
});

test("an inner join warns of each side that nothing evicts", () => {
  const join = (...on: Parameters<typeof call> extends [unknown, ...infer Rest] ? Rest : never) =>
    joinNode(timedEvents, timedClicks, { type: "inner", on: call("and", sameUser, ...on) });
  expect(codes(join())).toEqual(["join-unbounded", "join-unbounded"]);
  expect(codes(join(after))).toEqual(["join-unbounded"]);
  expect(codes(join(after, soon))).toEqual([]);
});

test("a full outer join with one bound never pads one side", () => {
  const plan = joinNode(timedEvents, timedClicks, { type: "fullOuter", on: call("and", sameUser, soon) });
  expect(codes(plan)).toEqual(["join-side-unpadded"]);
});

test("exact distinct counts, gaps that open nothing and timers without watermark are named", () => {
  const distinct = aggregateNode(timedEvents, {
    window: makeSession("ts", null),
    keys: [keep("user")],
    aggregates: [{ as: "d", fn: "countDistinct", value: column("value") }],
  });
  expect(codes(distinct)).toEqual(["distinct-state", "session-gap-ignored"]);
  const timers = statefulNode(events, {
    kind: "transformWithState",
    keys: ["user"],
    function: "f",
    timeMode: "eventTime",
    outputMode: "append",
    schema: { fields: [] },
  });
  expect(codes(timers)).toEqual(["timers-without-watermark"]);
});
