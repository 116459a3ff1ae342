import { describe, expect, it } from "vitest";
import { dynamoDbSink } from "../../lib/sinks/dynamodb-sink.js";
import { memoryTable } from "../../lib/sinks/memory-table.js";
import { identityOf, outputBatch, sinkContract } from "../contract/sink.js";

const open = () => {
  const table = memoryTable(["id"]);
  return { sink: dynamoDbSink({ table, key: ["id"] }), world: () => table.items() };
};

sinkContract("dynamodb", { open });

describe("dynamoDbSink", () => {
  it("keeps the last row of each key of a batch, with one put per key", async () => {
    const puts: unknown[] = [];
    const table = {
      putIfNewer: async (item: unknown, version: unknown) => {
        puts.push([item, version]);
        return true;
      },
    };
    const sink = dynamoDbSink({ table, key: ["id"] });
    const rows = [1, 2, 3].map((views) => ({ id: views === 2 ? "b" : "a", eventTime: null, views, ratio: null }));
    await sink.publish(identityOf(5), sink.stage(outputBatch(rows)));
    const NULL = { NULL: true };
    expect(puts).toEqual([
      [
        { id: { S: "a" }, eventTime: NULL, views: { N: "3" }, ratio: NULL },
        { ...identityOf(5), step: 0 },
      ],
      [
        { id: { S: "b" }, eventTime: NULL, views: { N: "2" }, ratio: NULL },
        { ...identityOf(5), step: 0 },
      ],
    ]);
  });

  it("takes a refused put for success, and any other failure for a reason to try again", async () => {
    const refusing = dynamoDbSink({ table: { putIfNewer: async () => false }, key: ["id"] });
    const parts = refusing.stage(outputBatch([{ id: "a" }]));
    await expect(refusing.publish(identityOf(1), parts)).resolves.toBeUndefined();
    const failing = dynamoDbSink({ table: { putIfNewer: () => Promise.reject(new Error("throttled")) }, key: ["id"] });
    await expect(failing.publish(identityOf(1), parts)).rejects.toMatchObject({
      code: "sink-unavailable",
      retry: true,
    });
  });
});
