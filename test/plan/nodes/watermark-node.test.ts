import { expect, test } from "vitest";
import { sourceNode, watermarkNode } from "../../../lib/plan/nodes/nodes.js";
import { codeOf, events, schemaOf } from "../plans.js";

const types = schemaOf({ t: "timestamp", z: "timestamp_ntz", s: "string", l: "long", j: "json" });
const source = sourceNode("s", { kind: "memory" }, types);
const mark = (column: string, delay = "10 minutes") => codeOf(() => watermarkNode(source, column, delay));

test("the delay is kept as text and in whole milliseconds", () => {
  expect(watermarkNode(events, "ts", "1500 microseconds")).toMatchObject({ delayMs: 1, delay: "1500 microseconds" });
});

test("a json column becomes a timestamp in place", () => {
  expect(watermarkNode(source, "j", "0 s").schema.fields[4]).toEqual({ name: "j", type: "timestamp", nullable: true });
});

test("a column of an open schema becomes known", () => {
  const open = sourceNode("o", { kind: "memory" }, { fields: [], open: true });
  expect(watermarkNode(open, "at", "0 s").schema).toEqual({
    fields: [{ name: "at", type: "timestamp", nullable: true }],
    open: true,
  });
});

test("text, numbers and zoneless times carry no event time", () => {
  expect(mark("t")).toBe("accepted");
  expect(["z", "s", "l"].map((column) => mark(column))).toEqual(Array(3).fill("event-time-type"));
  expect(mark("nope")).toBe("unknown-column");
});

test("the delay must parse and not be negative", () => {
  expect(mark("t", "ten minutes")).toBe("invalid-interval");
  expect(mark("t", "-1 minute")).toBe("negative-delay");
});
