import { afterEach, describe, expect, it, vi } from "vitest";
import { lazyClients } from "../../lib/lambda/clients.js";
import { openQuerySinks, openSinks, type SinkWorld } from "../../lib/lambda/sinks.js";

const handler = vi.fn();
const world: SinkWorld = {
  clients: lazyClients(true),
  functions: { "sink:1": handler },
  bucket: "results",
  random: () => 0,
  sleep: async () => {},
};

describe("the sinks of a function", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("are found by kind, side outputs in S3 beside the results", async () => {
    vi.stubEnv("AWS_REGION", "us-east-1");
    const s3 = await openSinks({ kind: "s3", prefix: "out", format: "parquet" }, world);
    expect(s3.result.kind).toBe("s3");
    expect(s3.late).toBe(s3.result);
    const table = await openSinks({ kind: "dynamodb", table: "t", key: ["page"] }, world);
    expect([table.result.kind, table.late.kind, table.malformed.kind]).toEqual(["dynamodb", "s3", "s3"]);
    const lake = await openSinks({ kind: "delta", path: "t" }, world);
    expect([lake.result.kind, lake.late.kind]).toEqual(["delta", "s3"]);
    const stream = await openSinks({ kind: "kinesis", stream: "s", partitionKey: "page" }, world);
    expect(stream.result.kind).toBe("kinesis");
  });

  it("of one query have a target each, and side outputs where those of the first go", async () => {
    vi.stubEnv("AWS_REGION", "us-east-1");
    const raw = { kind: "s3" } as const;
    const sinks = { raw, audit: { kind: "foreachBatch", handler: "sink:1" }, seen: { kind: "console" } } as const;
    const opened = await openQuerySinks({ sink: raw, sinks }, world);
    expect(opened.result.target).toBe('{"bucket":"results","kind":"s3","prefix":""}');
    expect(opened.late.kind).toBe("s3");
    expect(opened.others?.map(({ target }) => target)).toEqual(["foreachBatch:audit", "console:seen"]);
  });

  it("call the user's function by its id", async () => {
    vi.stubEnv("AWS_REGION", "us-east-1");
    const { result } = await openSinks({ kind: "foreachBatch", handler: "sink:1" }, world);
    const parts = result.stage({
      output: "result",
      rows: [{ n: 1 }],
      schema: { fields: [{ name: "n", type: "long", nullable: false }] },
      outputMode: "update",
      timeColumn: null,
      arrival: 0,
    });
    const identity = { query: "q", incarnation: "1", partition: 0, batchId: 1 };
    await result.publish(identity, parts);
    expect(handler).toHaveBeenCalledWith([{ n: 1 }], identity);
  });
});
