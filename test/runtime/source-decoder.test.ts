import { describe, expect, it } from "vitest";
import { z } from "zod";
import { columns, long } from "../../lib/api/columns.js";
import { memory } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import type { SourceSchema } from "../../lib/api/source-schema.js";
import { sourcesOf } from "../../lib/runtime/query-sources.js";
import { sourceDecoder } from "../../lib/runtime/source-decoder.js";

const decoderOf = (schema: SourceSchema) => {
  const { definition } = readStream(memory({ name: "in", schema })).writeStream({
    queryName: "q",
    outputMode: "append",
    sink: memory(),
  });
  return sourceDecoder(sourcesOf(definition.plan)[0]!, definition);
};
const payload = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe("the decoder of a source", () => {
  it("takes declared columns by themselves", () => {
    expect(decoderOf(columns({ n: long() }))(payload({ n: 1, other: 2 }))).toEqual({ row: { n: 1 } });
  });

  it("asks a foreign schema to validate each payload", () => {
    const decode = decoderOf(z.object({ n: z.number().positive() }));
    expect(decode(payload({ n: 1 }))).toEqual({ row: { n: 1 } });
    expect(decode(payload({ n: -1 }))).toMatchObject({ malformed: "schema-violation" });
  });
});
