import { describe, expect, test } from "vitest";
import { type AggregateInput, aggregateNode, makeWindow, sourceNode } from "../../../lib/plan/nodes/nodes.js";
import type { DataType } from "../../../lib/plan/schema.js";
import { codeOf, column, keep, schemaOf, timedEvents } from "../plans.js";

const wide = sourceNode(
  "wide",
  { kind: "memory" },
  schemaOf({ i: "int", l: "long", d: "double", s: "string", b: "boolean", j: "json", t: "timestamp" }),
);

const typeOf = (fn: AggregateInput["fn"], value?: string, more: Partial<AggregateInput> = {}): DataType =>
  aggregateNode(wide, {
    keys: [],
    aggregates: [{ as: "x", fn, ...(value === undefined ? {} : { value: column(value) }), ...more }],
  }).schema.fields[0]!.type;

describe("the output of an aggregation", () => {
  test("is the window, the keys, the aggregates", () => {
    const { schema } = aggregateNode(timedEvents, {
      window: makeWindow({ column: "ts", size: "5 minutes", as: "w" }),
      keys: [keep("user", "who")],
      aggregates: [{ as: "n", fn: "count" }],
    });
    expect(schema.fields).toEqual([
      { name: "w", type: "window", nullable: false },
      { name: "who", type: "string", nullable: true },
      { name: "n", type: "long", nullable: false },
    ]);
  });

  test("has the types of SEMANTICS C7", () => {
    expect(typeOf("count", "s")).toBe("long");
    expect(typeOf("sum", "i")).toBe("long");
    expect(typeOf("sum", "l")).toBe("long");
    expect(typeOf("sum", "d")).toBe("double");
    expect(typeOf("sum", "j")).toBe("json");
    expect(typeOf("avg", "l")).toBe("double");
    expect(typeOf("max", "s")).toBe("string");
    expect(typeOf("min", "t")).toBe("timestamp");
    expect(typeOf("collectSet", "l")).toEqual({ array: "long" });
    expect(typeOf("maxBy", "s", { by: column("l") })).toBe("string");
    expect(typeOf("approxPercentile", "i")).toBe("double");
    expect(typeOf("user", "s", { type: "long" })).toBe("long");
  });

  test("takes no sum of text, no value where one is needed, no unknown columns", () => {
    expect(codeOf(() => typeOf("sum", "s"))).toBe("type-mismatch");
    expect(() => typeOf("sum", "s")).toThrow("sum(s: string) has no meaning. It takes numbers");
    expect(codeOf(() => typeOf("avg", "b"))).toBe("type-mismatch");
    expect(codeOf(() => typeOf("max"))).toBe("type-mismatch");
    expect(codeOf(() => typeOf("sum", "nope"))).toBe("unknown-column");
    expect(codeOf(() => typeOf("maxBy", "s", { by: column("nope") }))).toBe("unknown-column");
  });
});

test("windows are of times: not of text, longs, or zoneless times", () => {
  const over = (name: string) =>
    codeOf(() =>
      aggregateNode(wide, { window: makeWindow({ column: name, size: "5 minutes" }), keys: [], aggregates: [] }),
    );
  expect(over("t")).toBe("accepted");
  expect(over("j")).toBe("accepted");
  expect(over("s")).toBe("event-time-type");
  expect(over("l")).toBe("event-time-type");
  expect(over("nope")).toBe("unknown-column");
});

test("two columns of one name are refused", () => {
  expect(
    codeOf(() => aggregateNode(timedEvents, { keys: [keep("user")], aggregates: [{ as: "user", fn: "count" }] })),
  ).toBe("duplicate-column");
});
