import { describe, expect, it } from "vitest";
import { decodeDeliveries } from "../../lib/runtime/micro-batch-input.js";
import { type MicroBatchOutput, type OutputShape, outputStager } from "../../lib/runtime/output-stager.js";
import type { OutboxPart, OutputBatch, Sink } from "../../lib/sinks/sink.js";
import { delivery, jsonDecoder } from "./support/harness.js";
import { COUNT_SCHEMA } from "./support/windowed-count.js";

const input = decodeDeliveries([{ name: "input", schema: { fields: [] } }], new Map([["input", jsonDecoder]]), [
  delivery("a", 7, [{ t: 1, arrival: 900 }, { text: "{" }]),
]);
const time = { fields: [{ name: "t", type: "timestamp" as const, nullable: false }] };
const shape: OutputShape = {
  schema: COUNT_SCHEMA,
  outputMode: "append",
  noEventTime: () => "'t' is NULL",
  rowSchemaOf: () => time,
  input,
  arrival: 1_000,
};
const origin = { source: 0, record: 0 };

const staged = async (output: Partial<MicroBatchOutput>, more: Partial<OutputShape> = {}) => {
  const batches: OutputBatch[] = [];
  const sink: Sink = {
    kind: "spy",
    stage: (batch) => {
      batches.push(batch);
      return [{ output: batch.output, sink: "spy", bytes: new Uint8Array() }];
    },
    publish: async () => {},
  };
  const sinks = { result: sink, late: sink, malformed: sink };
  const parts: OutboxPart[] = [];
  const outbox = { add: async (staged: readonly OutboxPart[]) => void parts.push(...staged) };
  const stager = outputStager(sinks, outbox, { ...shape, ...more });
  await stager.add(output);
  await stager.end();
  return { batches, parts };
};

describe("staging a micro-batch's output", () => {
  it("asks no sink about an output without rows", async () => {
    expect(await staged({})).toEqual({ batches: [], parts: [] });
  });

  it("dates results by their window, else by another time, else by arrival", async () => {
    const row = { window: { start: 0, end: 1 }, count: 1 };
    expect((await staged({ output: [row] })).batches[0]).toMatchObject({
      timeColumn: "window",
      arrival: 1_000,
      rows: [row],
    });
    expect((await staged({ output: [{ t: 1 }] }, { schema: time })).batches[0]!.timeColumn).toBe("t");
    expect((await staged({ output: [{}] }, { schema: { fields: [] } })).batches[0]!.timeColumn).toBeNull();
  });

  it("says of a late row where it came from, and its times in words", async () => {
    const late = { operatorId: "count", row: { t: 1 }, origin, eventTime: 1, watermark: 5 };
    expect((await staged({ late: [late] })).batches[0]).toMatchObject({
      output: "late",
      timeColumn: null,
      rows: [
        {
          row: { t: "1970-01-01T00:00:00.001Z" },
          source: { stream: "stream", shard: "a", sequence: "7", sub: 0 },
          lateByMs: 4,
          operator: "count",
          reason: "late",
        },
      ],
    });
  });

  it("sends rows without event time to the malformed output, also those that no record stands behind", async () => {
    const rejected = { operatorId: "count", row: { t: null }, reason: "no-event-time" };
    const withoutTime = [
      { ...rejected, origin },
      { ...rejected, origin: null },
    ];
    const [batch] = (await staged({ withoutTime })).batches;
    expect(batch).toMatchObject({ output: "malformed", timeColumn: "arrival" });
    expect(batch!.rows).toMatchObject([
      {
        reason: "no-event-time",
        detail: "'t' is NULL",
        arrival: 900,
        source: { sequence: "7" },
        row: { t: null },
        payload: expect.any(String),
      },
      { reason: "no-event-time", arrival: null, source: { stream: "count", sequence: "" } },
    ]);
  });
});
