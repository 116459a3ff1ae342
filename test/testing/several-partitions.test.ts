import { expect, it } from "vitest";
import { columns, count, kinesis, memory, readStream, string, timestamp, window } from "../../lib/index.js";
import { onePartition } from "../../lib/plan/partitioning/one-partition.js";
import { addData, checkNewAnswer, testStream } from "../../lib/testing.js";

const Click = columns({ at: timestamp(), user: string() });
const source = kinesis({ stream: "clicks", schema: Click });
const query = readStream(source)
  .withWatermark("at", "1 minute")
  .groupBy(window("at", "1 minute"), "user")
  .agg({ n: count() })
  .writeStream({
    queryName: "clicks",
    outputMode: "append",
    sink: memory(),
    options: { statePartitions: 4, partitionBy: ["user"] },
  });
const at = (minute: number) => `2024-03-01T12:0${minute}:00Z`;

it("a query with several state partitions is tested as one: the same rows", async () => {
  expect(onePartition(query.definition).options).not.toHaveProperty("partitionBy");
  await testStream(query, [
    addData(source, [
      { at: at(0), user: "a" },
      { at: at(0), user: "b" },
      { at: at(5), user: "a" },
    ]),
    checkNewAnswer([
      { window: { start: at(0), end: at(1) }, user: "a", n: 1 },
      { window: { start: at(0), end: at(1) }, user: "b", n: 1 },
    ]),
  ]);
});
