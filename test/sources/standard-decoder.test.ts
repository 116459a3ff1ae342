import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Schema } from "../../lib/plan/schema.js";
import { compileStandardDecoder } from "../../lib/sources/standard-decoder.js";

const OPEN: Schema = { fields: [], open: true };
const CLOSED: Schema = {
  fields: [
    { name: "eventTime", type: "json", nullable: true },
    { name: "page", type: "json", nullable: true },
  ],
};
const schemas: Record<string, StandardSchemaV1> = {
  zod: z.object({ eventTime: z.iso.datetime(), page: z.string().optional() }),
  valibot: v.object({ eventTime: v.pipe(v.string(), v.isoTimestamp()), page: v.optional(v.string()) }),
  arktype: type({ eventTime: "string.date.iso", "page?": "string" }),
};

describe.each(Object.entries(schemas))("compileStandardDecoder with %s", (_, schema) => {
  const decode = compileStandardDecoder(schema, CLOSED);

  it("gives rows of the schema's columns, null where a value is missing", () => {
    expect(decode(Buffer.from('{"eventTime":"2024-01-01T00:00:00Z"}'))).toEqual({
      row: { eventTime: "2024-01-01T00:00:00Z", page: null },
    });
  });

  it("says schema-violation with the path and without the value", () => {
    const decoded = decode(Buffer.from('{"eventTime":"secret"}'));
    expect(decoded).toMatchObject({ malformed: "schema-violation", detail: expect.stringContaining("eventTime") });
    expect(JSON.stringify(decoded)).not.toContain("secret");
  });

  it("says not-json and too-deep before the schema is asked", () => {
    expect(decode(Buffer.from("{"))).toMatchObject({ malformed: "not-json" });
    expect(decode(Buffer.from("[".repeat(9999) + "]".repeat(9999)))).toMatchObject({ malformed: "too-deep" });
  });
});

describe("compileStandardDecoder", () => {
  it("takes the schema's output, transforms included", () => {
    const decode = compileStandardDecoder(z.object({ at: z.coerce.date() }), OPEN);
    expect(decode(Buffer.from('{"at":"2024-01-01"}'))).toEqual({ row: { at: new Date("2024-01-01") } });
  });

  it("refuses a schema that validates asynchronously", () => {
    expect(() =>
      compileStandardDecoder(
        z.object({}).refine(async () => true),
        OPEN,
      ),
    ).toThrow(/async-schema/);
  });

  it("sends a row to the malformed output if only that row makes the schema asynchronous or throw", () => {
    const validate = (value: unknown) => {
      if ((value as { n?: number }).n === 1) return Promise.reject(new Error("later"));
      if ((value as { n?: number }).n === 2) throw new Error("secret");
      return { value };
    };
    const decode = compileStandardDecoder(
      { "~standard": { version: 1, vendor: "test", validate } } as StandardSchemaV1,
      OPEN,
    );
    expect(decode(Buffer.from('{"n":1}'))).toMatchObject({ malformed: "async-schema" });
    expect(decode(Buffer.from('{"n":2}'))).toEqual({ malformed: "schema-violation", detail: "the schema threw Error" });
    expect(decode(Buffer.from('{"n":3}'))).toEqual({ row: { n: 3 } });
    expect(decode(Buffer.from('{"__proto__":1}'))).toMatchObject({ malformed: "schema-violation" });
  });
});
