import { expect, test } from "vitest";
import {
  columns,
  foreachBatch,
  isQuery,
  kinesis,
  memory,
  QUERY_BRAND,
  readStream,
  s3,
  string,
  timestamp,
} from "../../lib/index.js";

const stream = readStream(kinesis({ stream: "s", schema: columns({ at: timestamp(), page: string() }) }));
const write = { queryName: "q", outputMode: "append", sink: s3({ prefix: "p/" }) } as const;

test("a query is found by its brand, also by another copy of the package", () => {
  const query = stream.writeStream(write);
  expect(isQuery(query)).toBe(true);
  expect(QUERY_BRAND).toBe(Symbol.for("tidemark.query"));
  expect(Object.isFrozen(query)).toBe(true);
  expect([null, 5, {}, { definition: query.definition }].some(isQuery)).toBe(false);
});

test("options reach the definition, intervals as milliseconds", () => {
  const { definition } = stream.writeStream({
    ...write,
    watermarkPolicy: "max",
    lateRule: "event-time",
    options: { closeOnIdle: "2 minutes", onError: "malformed", statePartitions: 1 },
  });
  expect(definition).toMatchObject({
    sink: { kind: "s3", prefix: "p/" },
    watermarkPolicy: "max",
    lateRule: "event-time",
    options: { closeOnIdleMs: 120_000, onError: "malformed", noDataMicroBatches: true },
  });
});

test("a handler of foreachBatch stands among the functions", () => {
  const handler = async () => undefined;
  const { definition } = stream.writeStream({ ...write, sink: foreachBatch(handler) });
  const id = String(definition.sink["handler"]);
  expect(definition.functions[id]).toBe(handler);
});

test("warnings come with the query and in its explanation", () => {
  const query = stream.withWatermark("at", "1 minute").writeStream({ ...write, sink: memory() });
  expect(query.warnings.map(({ code }) => code)).toEqual(["watermark-unused"]);
  expect(query.explain()).toContain("[watermark-unused] No stateful operator uses the watermark on 'at'.");
});

test("one name with a schema is a source, without one a sink", () => {
  expect(kinesis({ stream: "s", schema: columns({}) })).toMatchObject({ kind: "kinesis", name: "s" });
  expect(kinesis({ stream: "s", partitionKey: "page" })).toEqual({
    kind: "kinesis",
    stream: "s",
    partitionKey: "page",
  });
  expect(memory()).toEqual({ kind: "memory" });
});
