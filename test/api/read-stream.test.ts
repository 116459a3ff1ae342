import { describe, expect, it } from "vitest";
import { columns, kinesis, memory, readStream, string } from "../../lib/index.js";

const schema = columns({ page: string() });

describe("readStream, where no compiler tells", () => {
  it("refuses a source without a stream or without a schema", () => {
    expect(() => readStream(kinesis({ schema } as never))).toThrow("[option-invalid] The option kinesis source name");
    expect(() => readStream(kinesis({ stream: "views" } as never))).toThrow("[option-invalid] The option schema");
    expect(() => readStream(kinesis({ stream: "views", schema: { page: "string" } } as never))).toThrow(
      "option-invalid",
    );
    expect(readStream(memory({ name: "views", schema })).plan.schema.fields).toHaveLength(1);
  });

  it("refuses an end without a sink", () => {
    const end = () =>
      readStream(memory({ name: "views", schema })).writeStream({ queryName: "q", outputMode: "append" } as never);
    expect(end).toThrow("[option-invalid] The option sink");
  });
});
