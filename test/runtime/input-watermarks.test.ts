import { describe, expect, it } from "vitest";
import { NO_REGISTERS, type Registers } from "../../lib/checkpoint/registers.js";
import { inputWatermarks } from "../../lib/runtime/input-watermarks.js";
import { advanceWatermark, type WatermarkRules } from "../../lib/runtime/query-watermark.js";
import { recordRead, recordShardList, recordSteps } from "../../lib/runtime/shard-registers.js";
import { NO_WATERMARK } from "../../lib/time/event-time.js";

const MINUTE = 60_000;
const NOON = Date.UTC(2024, 2, 1, 12);
const query = {
  sources: [
    { name: "orders", schema: { fields: [] } },
    { name: "clicks", schema: { fields: [] } },
  ],
  watermarks: [
    { id: "o", delayMs: 10 * MINUTE, sources: [0] },
    { id: "c", delayMs: MINUTE, sources: [1] },
  ],
};
const policy = { across: "auto" as const, idleTimeoutMs: null, maxFutureSkewMs: null };
const rules: WatermarkRules = {
  policy: "min",
  sources: new Map([
    ["orders", policy],
    ["clicks", policy],
  ]),
  listed: new Set(["orders", "clicks"]),
  closeOnIdleMs: null,
};

const read = (registers: Registers, source: string, shard: string, minute: number): Registers => {
  const at = NOON + minute * MINUTE;
  const key = `${source}/${shard}`;
  return recordSteps(recordRead(registers, key, at), key, source === "orders" ? "o" : "c", [
    { arrival: at, maxEventTime: at },
  ]);
};
const listed = (...shards: string[]) =>
  recordShardList(
    recordShardList(
      NO_REGISTERS,
      "orders",
      shards.map((shard) => ({ shard, parents: [] })),
    ),
    "clicks",
    [{ shard: "0", parents: [] }],
  );
const advanced = (registers: Registers) => {
  const advance = advanceWatermark(query, rules, registers, NO_WATERMARK);
  return { ...advance, inputs: inputWatermarks(query, rules, advance.registers) };
};

describe("where event time stands, by source and shard", () => {
  it("names what each shard would allow, and how far it is read", () => {
    const { inputs } = advanced(
      read(read(read(listed("0", "1"), "orders", "0", 30), "orders", "1", 20), "clicks", "0", 30),
    );
    expect(inputs).toEqual([
      {
        source: "orders",
        delayMs: 10 * MINUTE,
        probed: true,
        watermark: "2024-03-01T12:10:00.000Z",
        readThrough: "2024-03-01T12:20:00.000Z",
        shards: {
          0: { watermark: "2024-03-01T12:20:00.000Z", readThrough: "2024-03-01T12:30:00.000Z" },
          1: { watermark: "2024-03-01T12:10:00.000Z", readThrough: "2024-03-01T12:20:00.000Z" },
        },
      },
      {
        source: "clicks",
        delayMs: MINUTE,
        probed: true,
        watermark: "2024-03-01T12:29:00.000Z",
        readThrough: "2024-03-01T12:30:00.000Z",
        shards: { 0: { watermark: "2024-03-01T12:29:00.000Z", readThrough: "2024-03-01T12:30:00.000Z" } },
      },
    ]);
  });

  it("names an input that was never heard with nothing", () => {
    const { inputs, heldBackBy } = advanced(read(listed("0"), "orders", "0", 30));
    expect(inputs[1]).toEqual({
      source: "clicks",
      delayMs: MINUTE,
      probed: true,
      watermark: null,
      readThrough: null,
      shards: { 0: { watermark: null, readThrough: null } },
    });
    expect(heldBackBy).toBe("clicks/*");
  });

  it("TRIALS-2 D4: a sibling that died under min holds the query back once it is behind by more than its delay and a minute", () => {
    const dead = read(listed("0"), "clicks", "0", 0);
    // clicks stand at 11:59; orders, less ten minutes, at 12:01 and at 12:01:01.
    expect(advanced(read(dead, "orders", "0", 11)).heldBackBy).toBeNull();
    expect(advanced(read(dead, "orders", "0", 11 + 1 / 60)).heldBackBy).toBe("clicks/0");
  });
});
