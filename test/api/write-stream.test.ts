import { expect, test } from "vitest";
import { columns, foreachBatch, kinesis, memory, readStream, s3, string, timestamp, window } from "../../lib/index.js";

const stream = readStream(kinesis({ stream: "s", schema: columns({ at: timestamp(), page: string() }) }));
const write = { queryName: "q", outputMode: "append", sink: s3({ prefix: "p/" }) } as const;

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
  expect(definition.sink).toEqual({ kind: "foreachBatch", handler: expect.any(String) });
  expect(Object.entries(definition.functions)).toEqual([
    ["handler" in definition.sink && definition.sink.handler, handler],
  ]);
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

test("several sinks stand in their order, the first as the sink; names are checked", () => {
  const { queryName, outputMode } = write;
  const handler = async () => undefined;
  const sinks = { raw: s3({ prefix: "raw/" }), live: foreachBatch(handler) };
  const { definition } = stream.writeStream({ queryName, outputMode, sinks });
  expect(definition.sink).toEqual({ kind: "s3", prefix: "raw/" });
  expect(Object.entries(definition.sinks ?? {}).map(([name, { kind }]) => [name, kind])).toEqual([
    ["raw", "s3"],
    ["live", "foreachBatch"],
  ]);
  expect(Object.values(definition.functions)).toEqual([handler]);
  expect(stream.writeStream({ queryName, outputMode, sinks: { only: s3() } }).definition.sinks).toBeUndefined();
  for (const wrong of [{ sinks: {} }, { sinks: { "1": s3() } }, { sinks, sink: s3() }])
    expect(() => stream.writeStream({ queryName, outputMode, ...wrong } as never)).toThrow("[option-invalid]");
});

test("a trigger is the batching window; Spark's others are refused with what to do instead", () => {
  const triggered = (trigger: object) => stream.writeStream({ ...write, trigger } as never).definition.options;
  expect(triggered({ processingTime: "30 seconds" })).toMatchObject({ batchingWindowMs: 30_000 });
  expect(() => triggered({ availableNow: true })).toThrow(/trigger-unsupported.*tidemark run/);
  expect(() => triggered({ continuous: "1 second" })).toThrow("processingTime: '1 second'");
  for (const processingTime of ["6 minutes", "1500 milliseconds"])
    expect(() => triggered({ processingTime })).toThrow("[trigger-unsupported]");
});

test("options that are not known are refused where no compiler looks", () => {
  const { queryName, ...rest } = write;
  expect(() => stream.writeStream({ ...write, watermarkPolcy: "max" } as never)).toThrow(
    "[option-unknown] writeStream() has no option 'watermarkPolcy'. Write 'watermarkPolicy'.",
  );
  expect(() => stream.writeStream({ ...write, options: { onEror: "fail" } } as never)).toThrow("Write 'onError'.");
  expect(() => window("at", "1 day", { timezone: "UTC" } as never)).toThrow("Write 'timeZone'.");
  expect(() => stream.writeStream({ ...rest, queryName: `${queryName}2` })).not.toThrow();
});
