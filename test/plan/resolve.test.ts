import { describe, expect, test } from "vitest";
import type { Expression } from "../../lib/plan/expression.js";
import { resolveExpression } from "../../lib/plan/resolve.js";
import type { Schema } from "../../lib/plan/schema.js";
import { call, codeOf, column, interval, schemaOf } from "./plans.js";

const schema: Schema = {
  fields: [
    ...schemaOf({
      t: "timestamp",
      s: "string",
      l: "long",
      i: "int",
      d: "double",
      b: "boolean",
      w: "window",
      j: "json",
      p: { struct: [{ name: "x", type: "double", nullable: false }] },
    }).fields,
    { name: "k", type: "string", nullable: false },
  ],
};
const typeOf = (expression: Expression) => resolveExpression(expression, schema).type;
const nullable = (expression: Expression) => resolveExpression(expression, schema).nullable;
const lit = (value: number | string | null, type: "int" | "string" | "json" = "int"): Expression => ({
  kind: "literal",
  value,
  type,
});

describe("types", () => {
  test("arithmetic is as wide as its widest argument, and division a double", () => {
    expect(typeOf(call("add", column("i"), lit(1)))).toBe("int");
    expect(typeOf(call("mul", column("i"), column("l")))).toBe("long");
    expect(typeOf(call("sub", column("l"), column("d")))).toBe("double");
    expect(typeOf(call("div", column("i"), column("i")))).toBe("double");
    expect(typeOf(call("add", column("j"), column("l")))).toBe("json");
  });

  test("a timestamp takes an interval on its right, and nothing else does", () => {
    expect(typeOf(call("add", column("t"), interval(1)))).toBe("timestamp");
    expect(codeOf(() => typeOf(call("add", column("l"), interval(1))))).toBe("type-mismatch");
    expect(codeOf(() => typeOf(call("add", interval(1), column("t"))))).toBe("type-mismatch");
    expect(codeOf(() => typeOf(call("mul", column("t"), interval(1))))).toBe("type-mismatch");
    expect(codeOf(() => typeOf(interval(1)))).toBe("type-mismatch");
  });

  test("comparisons need comparable arguments", () => {
    expect(typeOf(call("lt", column("l"), column("d")))).toBe("boolean");
    expect(typeOf(call("eq", column("j"), column("s")))).toBe("boolean");
    expect(codeOf(() => typeOf(call("eq", column("s"), column("l"))))).toBe("type-mismatch");
  });

  test("cases have the type that holds all of their values", () => {
    expect(typeOf(call("caseWhen", column("b"), column("i"), column("d")))).toBe("double");
    expect(typeOf(call("coalesce", column("i"), column("l")))).toBe("long");
    expect(codeOf(() => typeOf(call("caseWhen", column("s"), column("i"))))).toBe("type-mismatch");
  });

  test("a bare NULL takes the type of the others", () => {
    expect(typeOf(call("caseWhen", column("b"), lit(null, "json"), column("l")))).toBe("long");
    expect(typeOf(call("coalesce", lit(null, "json"), column("s")))).toBe("string");
    expect(typeOf(call("coalesce", lit(null, "json")))).toBe("json");
  });

  test("paths reach into windows, structs and json", () => {
    expect(typeOf({ kind: "column", name: "w", path: ["end"] })).toBe("timestamp");
    expect(typeOf({ kind: "column", name: "p", path: ["x"] })).toBe("double");
    expect(typeOf({ kind: "column", name: "j", path: ["a", "b"] })).toBe("json");
    expect(codeOf(() => typeOf({ kind: "column", name: "w", path: ["middle"] }))).toBe("unknown-column");
  });

  test("window_time takes a window, as in Spark", () => {
    expect(typeOf(call("windowTime", column("w")))).toBe("timestamp");
    expect(codeOf(() => typeOf(call("windowTime", column("t"))))).toBe("type-mismatch");
  });
});

describe("nullability", () => {
  test("any NULL argument makes NULL, but where a function says otherwise", () => {
    expect(nullable(call("upper", column("k")))).toBe(false);
    expect(nullable(call("concat", column("k"), column("s")))).toBe(true);
    expect(nullable(call("isNull", column("s")))).toBe(false);
    expect(nullable(call("coalesce", column("s"), column("k")))).toBe(false);
    expect(nullable(call("caseWhen", call("isNull", column("s")), column("k")))).toBe(true);
  });
});

describe("columns", () => {
  test("a name that is not there is refused with those that are", () => {
    expect(() => typeOf(column("nope"))).toThrow(/no column 'nope'.*'t', 's', 'l'/);
  });

  test("an open schema knows any name, as json", () => {
    expect(resolveExpression(column("nope"), { fields: [], open: true })).toEqual({ type: "json", nullable: true });
  });

  test("in a join's condition a column says its side", () => {
    const scope = { left: schemaOf({ a: "long" }), right: schemaOf({ a: "string" }) };
    expect(resolveExpression(column("a", "right"), scope).type).toBe("string");
    expect(codeOf(() => resolveExpression(column("a"), scope))).toBe("ambiguous-column");
  });
});
