import { expect, test } from "vitest";
import { z } from "zod";
import { columns, long, memory, readStream, readTable, string } from "../../lib/index.js";

test("declared columns are the plan's schema and need no function", () => {
  const { plan, functions } = readStream(memory({ name: "s", schema: columns({ page: string() }) }));
  expect(plan).toMatchObject({ kind: "source", name: "s", descriptor: { kind: "memory", name: "s" } });
  expect(functions).toEqual({});
});

test("another schema stands among the functions, named after its source", () => {
  const schema = z.object({ page: z.string() });
  const { plan, functions } = readStream(memory({ name: "s", schema }));
  const [id, kept] = Object.entries(functions)[0]!;
  expect(id).toMatch(/^schema:s-/);
  expect(plan).toMatchObject({ descriptor: { validate: id } });
  expect(kept).toBe(schema);
  const another = readStream(memory({ name: "s", schema: z.object({ page: z.string() }) }));
  expect(Object.keys(another.functions)).not.toEqual([id]);
});

test("a source's name may not reach another source's shards", () => {
  for (const name of ["", "a/b"])
    expect(() => readStream(memory({ name, schema: columns({ page: string() }) }))).toThrow("option-invalid");
});

test("a table's rows are complete, frozen copies in the plan", () => {
  const rows = [{ page: "/" }];
  const { plan } = readTable({ name: "pages", schema: columns({ page: string(), weight: long() }), rows });
  const [row] = (plan as unknown as { descriptor: { rows: readonly object[] } }).descriptor.rows;
  expect(row).toEqual({ page: "/", weight: null });
  expect(Object.isFrozen(row)).toBe(true);
});
