import { expect, test } from "vitest";
import { resolveAggregate } from "../../../lib/plan/nodes/aggregate-type.js";
import type { AggregateInput } from "../../../lib/plan/nodes/nodes.js";
import { codeOf, column, schemaOf } from "../plans.js";

const schema = schemaOf({ i: "int", d: "double", s: "string", at: "timestamp", j: "json" });
const typeOf = (fn: AggregateInput["fn"], name: string) =>
  resolveAggregate({ as: "out", fn, value: column(name) }, schema).spec.type;

test("types follow the argument as in Spark", () => {
  expect(typeOf("sum", "i")).toBe("long");
  expect(typeOf("sum", "d")).toBe("double");
  expect(typeOf("avg", "i")).toBe("double");
  expect(typeOf("max", "s")).toBe("string");
  expect(typeOf("first", "at")).toBe("timestamp");
  expect(typeOf("collectList", "s")).toEqual({ array: "string" });
  expect(typeOf("sum", "j")).toBe("json");
});

test("counts and collections are never NULL, the others may be", () => {
  const nullable = (fn: AggregateInput["fn"]) =>
    resolveAggregate({ as: "out", fn, value: column("i") }, schema).nullable;
  expect([nullable("count"), nullable("collectSet"), nullable("sum")]).toEqual([false, false, true]);
});

test("an argument of another type, or none where one is needed, is refused", () => {
  expect(codeOf(() => typeOf("sum", "s"))).toBe("type-mismatch");
  expect(codeOf(() => resolveAggregate({ as: "out", fn: "max" }, schema))).toBe("type-mismatch");
  expect(codeOf(() => resolveAggregate({ as: "out", fn: "count" }, schema))).toBe("accepted");
});

test("bits are of whole numbers alone", () => {
  expect(typeOf("bitAnd", "i")).toBe("int");
  expect(["d", "j", "s"].map((name) => codeOf(() => typeOf("bitAnd", name)))).toEqual(Array(3).fill("type-mismatch"));
});
