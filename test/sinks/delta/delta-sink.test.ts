import { describe, expect, it } from "vitest";
import { memoryLogStore } from "../../../lib/sinks/delta/memory-log-store.js";
import { commitKey } from "../../../lib/sinks/delta/snapshot.js";
import { sinkContract } from "../../contract/sink.js";
import { ARRIVAL, batchOf, identity, ROOT, SCHEMA, table } from "./support.js";

sinkContract("delta", {
  anyOrder: false,
  open: () => {
    const store = memoryLogStore();
    const world = () => [...store.objects].map(([key, bytes]) => [key, Buffer.from(bytes).toString("base64")]).sort();
    return { sink: table({ store }).sink, world };
  },
});

const at = Date.UTC(2024, 0, 1, 12);
const micros = BigInt(at) * 1000n;

describe("deltaSink", () => {
  it("writes the actions of a new table, then one commit per batch", async () => {
    const { write, store, rows } = table();
    await write(1, batchOf([{ page: "/", views: 1, at }]));
    await write(2, batchOf([{ page: "/b", views: 9007199254740993n, at: null }]));
    const lines = Buffer.from((await store.get(commitKey(ROOT, 0)))!)
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const appId = "tidemark/views/1704067200000/0";
    expect(lines).toEqual([
      {
        commitInfo: {
          timestamp: ARRIVAL,
          operation: "STREAMING UPDATE",
          operationParameters: { outputMode: "append", queryId: "1704067200000", epochId: "1" },
          engineInfo: "tidemark",
        },
      },
      { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
      {
        metaData: {
          id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          format: { provider: "parquet", options: {} },
          schemaString: expect.stringContaining('{"name":"views","type":"long","nullable":true,"metadata":{}}'),
          partitionColumns: [],
          configuration: {},
          createdTime: ARRIVAL,
        },
      },
      { txn: { appId, version: 1, lastUpdated: ARRIVAL } },
      {
        add: {
          path: "part-views-1704067200000-0-1-0.snappy.parquet",
          partitionValues: {},
          size: expect.any(Number),
          modificationTime: ARRIVAL,
          dataChange: true,
          stats:
            '{"numRecords":1,"minValues":{"page":"/","views":1,"at":"2024-01-01T12:00:00.000Z"},' +
            '"maxValues":{"page":"/","views":1,"at":"2024-01-01T12:00:00.000Z"},"nullCount":{"page":0,"views":0,"at":0}}',
        },
      },
    ]);
    expect(await rows()).toEqual([
      { page: "/", views: 1n, at: micros },
      { page: "/b", views: 9007199254740993n, at: null },
    ]);
  });

  it("takes a batch whose txn is there for done, and one of another incarnation or query for its own", async () => {
    const { write, rows, snapshot } = table();
    await write(1, batchOf([{ page: "a" }]));
    await write(1, batchOf([{ page: "a" }]));
    await write(1, batchOf([{ page: "b" }]), { incarnation: "1704067200001" });
    await write(1, batchOf([{ page: "c" }]), { query: "others" });
    expect((await rows()).map(({ page }) => page)).toEqual(["a", "b", "c"]);
    expect((await snapshot()).version).toBe(2);
  });

  it("replaces all rows in complete mode, and what an older incarnation has left no more", async () => {
    const { write, rows } = table();
    await write(1, batchOf([{ page: "a" }, { page: "b" }], "complete"));
    await write(2, batchOf([{ page: "c" }], "complete"));
    expect((await rows()).map(({ page }) => page)).toEqual(["c"]);
    await write(1, batchOf([{ page: "new" }], "complete"), { incarnation: "1704067200001" });
    await write(3, batchOf([{ page: "zombie" }], "complete"));
    expect((await rows()).map(({ page }) => page)).toEqual(["new"]);
  });

  it("replaces rows of the same key, null included, and leaves files without one alone", async () => {
    const { write, rows, snapshot } = table({ key: ["page"] });
    await write(
      1,
      batchOf(
        [
          { page: "a", views: 1, at },
          { page: null, views: 1 },
        ],
        "update",
      ),
    );
    await write(2, batchOf([{ page: "b", views: 1 }], "update"));
    const untouched = [...(await snapshot()).files.keys()][1];
    await write(
      3,
      batchOf(
        [
          { page: null, views: 2 },
          { page: null, views: 3 },
          { page: "c", views: 1 },
        ],
        "update",
      ),
    );
    expect(await rows()).toEqual([
      { page: "b", views: 1n, at: null },
      { page: "a", views: 1n, at: micros },
      { page: null, views: 3n, at: null },
      { page: "c", views: 1n, at: null },
    ]);
    expect([...(await snapshot()).files.keys()]).toContain(untouched);
  });

  it("puts rows into folders of their partition values, and merges within them", async () => {
    const { write, rows, store } = table({ key: ["page", "views"], partitionBy: ["page"] });
    await write(
      1,
      batchOf(
        [
          { page: "a b", views: 1, at },
          { page: "c", views: 1, at },
        ],
        "update",
      ),
    );
    await write(2, batchOf([{ page: "a b", views: 1, at: null }], "update"));
    expect(await rows()).toEqual([
      { page: "c", views: 1n, at: micros },
      { page: "a b", views: 1n, at: null },
    ]);
    const folders = (await store.list(ROOT, "")).map((key) => key.slice(ROOT.length).split("/")[0]);
    expect([...new Set(folders)]).toEqual(["_delta_log", "page=a~20b", "page=c"]);
  });

  it("writes a checkpoint every ten commits, and reads on from it", async () => {
    const store = memoryLogStore();
    const { write, rows, snapshot } = table({ store, partitionBy: ["page"] });
    for (let batchId = 1; batchId <= 12; batchId++)
      await write(batchId, batchOf([{ page: batchId % 5 ? "a" : null, views: batchId }]));
    const before = await snapshot();
    for (let version = 0; version < 10; version++) store.delete(commitKey(ROOT, version));
    expect(await snapshot()).toEqual(before);
    expect((await rows()).map(({ views }) => Number(views)).sort((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    await write(11, batchOf([{ page: "again" }]));
    expect((await snapshot()).version).toBe(11);
  });

  it("stages what the query's columns cannot be in a table as a refusal", () => {
    const { sink } = table();
    const named = (...names: string[]) => ({
      fields: names.map((name) => ({ name, type: "string" as const, nullable: true })),
    });
    expect(() => sink.stage(batchOf([{}], "append", named("a b")))).toThrow(
      "[sink-column] A Delta table has no column 'a b'.",
    );
    expect(() => sink.stage(batchOf([{}], "append", named("a", "A")))).toThrow("[sink-column]");
  });

  it("publishes a part as it was staged, whatever the query's options are now", async () => {
    const { sink, store } = table();
    const parts = sink.stage(batchOf([{ page: "a" }]));
    const { sink: changed, rows } = table({ store, key: ["page"], partitionBy: ["views"], mergeSchema: true });
    await changed.publish(identity(1), parts);
    expect(await rows()).toEqual([{ page: "a", views: null, at: null }]);
    expect(SCHEMA.fields).toHaveLength(3);
  });
});
