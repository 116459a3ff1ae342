import { type } from "arktype";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { engineSchema } from "../../lib/api/source-schema.js";
import { columns, long, memory, readStream } from "../../lib/index.js";

const names = (schema: Parameters<typeof engineSchema>[0]) => engineSchema(schema).fields.map(({ name }) => name);

test("zod and arktype emit JSON Schema, so their columns have names", () => {
  expect(names(z.object({ at: z.string(), n: z.number().optional() }))).toEqual(["at", "n"]);
  expect(engineSchema(z.object({ at: z.string() })).open).toBeUndefined();
  expect(engineSchema(type({ at: "string" })).fields).toEqual([{ name: "at", type: "json", nullable: true }]);
});

test("a schema whose output has no JSON Schema takes the names of its input", () => {
  expect(names(z.object({ at: z.string().transform((text) => new Date(text)) }))).toEqual(["at"]);
});

test("a schema that emits none is open", () => {
  expect(engineSchema(v.object({ at: v.string() }))).toEqual({ fields: [], open: true });
  expect(engineSchema(z.object({ at: z.date() }))).toEqual({ fields: [], open: true });
});

test("declared columns are the engine's own", () => {
  expect(engineSchema(columns({ n: long() })).fields).toEqual([{ name: "n", type: "long", nullable: true }]);
});

test("a foreign schema stands among the functions, and the source says under which id", () => {
  const schema = z.object({ at: z.string() });
  const stream = readStream(memory({ name: "m", schema }));
  const [id, kept] = Object.entries(stream.functions)[0]!;
  expect(stream.plan).toMatchObject({ kind: "source", descriptor: { kind: "memory", validate: id } });
  expect(kept).toBe(schema);
  expect(JSON.stringify(stream.plan)).not.toContain("~standard");
});
