import { expect, test } from "vitest";
import { nodeText, schemaText } from "../../../lib/plan/explain/node-text.js";
import {
  deduplicateNode,
  filterNode,
  limitNode,
  mapNode,
  projectNode,
  sortNode,
} from "../../../lib/plan/nodes/nodes.js";
import { call, column, countPerWindow, events, keep, timedEvents } from "../plans.js";

test("a node is one line in the words of the verbs", () => {
  expect(nodeText(timedEvents)).toBe("withWatermark ts, delay threshold 10 seconds");
  expect(nodeText(countPerWindow(timedEvents))).toBe("groupBy window = window(ts, 5 minutes) agg count = count()");
  expect(nodeText(deduplicateNode(events, { keys: ["user"] }))).toBe("dropDuplicates user");
  expect(nodeText(limitNode(events, 3))).toBe("limit 3");
  expect(nodeText(sortNode(events, [{ name: "user", descending: true }]))).toBe("orderBy user descending");
  expect(nodeText(filterNode(events, call("isNull", column("user"))))).toContain("filter ");
});

test("a column under another name says where it comes from", () => {
  expect(nodeText(projectNode(events, [keep("user"), keep("ts", "at")]))).toBe("select user, at = ts");
});

test("a function names the event time that it carries on", () => {
  const map = { kind: "map", function: "map-1", schema: events.schema, eventTime: "ts" } as const;
  expect(nodeText(mapNode(events, map))).toBe("map function map-1, event time ts");
});

test("an open schema ends in an ellipsis", () => {
  expect(schemaText({ ...events.schema, open: true })).toBe("ts timestamp, user string, value bigint, …");
});
