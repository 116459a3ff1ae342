import { describe, expect, it } from "vitest";
import type { MetaData, Protocol } from "../../../lib/sinks/delta/actions.js";
import { memoryLogStore } from "../../../lib/sinks/delta/memory-log-store.js";
import { commitKey } from "../../../lib/sinks/delta/snapshot.js";
import { schemaString } from "../../../lib/sinks/delta/table-schema.js";
import { batchOf, ROOT, SCHEMA, table } from "./support.js";

const protocol: Protocol = { minReaderVersion: 1, minWriterVersion: 2 };
const metaData: MetaData = {
  id: "t",
  format: { provider: "parquet", options: {} },
  schemaString: schemaString(SCHEMA),
  partitionColumns: [],
  configuration: {},
};

/** A table of somebody else's. */
async function given(more: Partial<MetaData> = {}, rules: Partial<Protocol> = {}, options = {}) {
  const store = memoryLogStore();
  const lines = [{ protocol: { ...protocol, ...rules } }, { metaData: { ...metaData, ...more } }];
  await store.put(commitKey(ROOT, 0), Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")));
  return table({ store, ...options });
}

const row = batchOf([{ page: "a", views: 1, at: 0 }]);

describe("a table that stands there", () => {
  it("is written where nothing of it is broken", async () => {
    const { write, rows } = await given({ configuration: { "delta.logRetentionDuration": "interval 1 day" } });
    await write(1, row);
    expect(await rows()).toEqual([{ page: "a", views: 1n, at: 0n }]);
  });

  it.each([
    ["delta.enableChangeDataFeed", "true"],
    ["delta.enableDeletionVectors", "true"],
    ["delta.columnMapping.mode", "name"],
    ["delta.constraints.positive", "views > 0"],
    ["delta.enableInCommitTimestamps", "true"],
  ])("is refused for its property %s", async (name, value) => {
    const { write } = await given({ configuration: { [name]: value } });
    await expect(write(1, row)).rejects.toThrow(
      `[delta-table] The Delta table cannot be written here: its property ${name} is ${value}.`,
    );
  });

  it("is refused for features and versions that are not known", async () => {
    const features = { minReaderVersion: 3, minWriterVersion: 7, writerFeatures: ["deletionVectors"] };
    await expect((await given({}, features)).write(1, row)).rejects.toThrow("it has the feature deletionVectors");
    await expect((await given({}, { minWriterVersion: 8 })).write(1, row)).rejects.toThrow(
      "its protocol is 1 for readers and 8",
    );
  });

  it("is added to, and not rewritten, where it is append-only", async () => {
    const configuration = { "delta.appendOnly": "true" };
    await (await given({ configuration })).write(1, row);
    const merging = await given({ configuration }, {}, { key: ["page"] });
    await expect(merging.write(1, batchOf([{ page: "a" }], "update"))).rejects.toThrow("delta.appendOnly");
  });

  it("is refused where it is partitioned otherwise", async () => {
    const { write } = await given({ partitionColumns: ["page"] });
    await expect(write(1, row)).rejects.toThrow("it is partitioned by page");
  });

  it("takes new columns behind its own where mergeSchema allows it", async () => {
    const schema = { fields: [...SCHEMA.fields, { name: "extra", type: "double" as const, nullable: true }] };
    const wider = batchOf([{ page: "b", extra: 0.5 }], "append", schema);
    const { write } = await given();
    await expect(write(1, wider)).rejects.toThrow(
      "[delta-schema] The Delta table and the query do not fit: it has no column 'extra'.",
    );
    const evolving = await given({}, {}, { mergeSchema: true });
    await evolving.write(1, row);
    await evolving.write(2, wider);
    await evolving.write(3, row);
    expect((await evolving.snapshot()).metaData?.schemaString).toBe(schemaString(schema));
    expect(await evolving.rows()).toHaveLength(3);
  });

  it("is refused where a column is of another type, or wants a value that the query lacks", async () => {
    const other = { fields: [{ name: "views", type: "string" as const, nullable: true }] };
    await expect((await given()).write(1, batchOf([{ views: "1" }], "append", other))).rejects.toThrow(
      "its column 'views' is long, the query's 'views' is string",
    );
    const strict = metaData.schemaString.replace('"timestamp","nullable":true', '"timestamp","nullable":false');
    const { write } = await given({ schemaString: strict });
    const fewer = { fields: SCHEMA.fields.slice(0, 2) };
    await expect(write(1, batchOf([{ page: "a" }], "append", fewer))).rejects.toThrow(
      "its column 'at' may not be null",
    );
  });
});
