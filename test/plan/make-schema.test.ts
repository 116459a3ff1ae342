import { expect, test } from "vitest";
import { makeSchema } from "../../lib/plan/make-schema.js";
import { codeOf } from "./plans.js";

const named = (...names: readonly string[]) =>
  codeOf(() => makeSchema(names.map((name) => ({ name, type: "string", nullable: true }))));

test("names are unique and reach no prototype", () => {
  expect(named("a", "b")).toBe("accepted");
  expect(named("a", "a")).toBe("duplicate-column");
  expect(["__proto__", "constructor", "prototype", ""].map((name) => named(name))).toEqual(
    Array(4).fill("column-name"),
  );
});

test("a schema is frozen through and through, and open only where it says so", () => {
  const schema = makeSchema([{ name: "a", type: "string", nullable: true }]);
  expect(Object.isFrozen(schema) && Object.isFrozen(schema.fields) && Object.isFrozen(schema.fields[0])).toBe(true);
  expect("open" in schema).toBe(false);
  expect(makeSchema([], true).open).toBe(true);
});
