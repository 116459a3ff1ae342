import { describe, expect, it } from "vitest";
import { columns, files, kinesis, memory, readStream, s3, string } from "../../lib/index.js";
import { synthesise } from "./support.js";

const Line = columns({ text: string() });

describe("requireDeployable", () => {
  it("stops the synth for a source that no function can read", () => {
    const query = readStream(files({ name: "lines", schema: Line })).writeStream({
      queryName: "from-files",
      outputMode: "append",
      sink: s3(),
    });
    expect(() => synthesise({ query })).toThrow(expect.objectContaining({ code: "source-kind" }));
  });

  it("stops the synth for a sink that no function can write to", () => {
    const query = readStream(kinesis({ stream: "lines", schema: Line })).writeStream({
      queryName: "to-memory",
      outputMode: "append",
      sink: memory(),
    });
    expect(() => synthesise({ query })).toThrow(expect.objectContaining({ code: "sink-kind" }));
  });
});
