import { describe, expect, it } from "vitest";
import { keyColumns } from "../../lib/operators/key-columns.js";
import type { ProcessorFactory, StatefulProcessor } from "../../lib/operators/stateful/stateful-processor.js";
import { transformWithState } from "../../lib/operators/transform-with-state.js";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { operatorStream } from "../operators/operator-stream.js";

/** Faults around timers, restated as small inputs. Times are seconds. */
const schemaOf = (type: "long" | "timestamp"): Schema => ({
  fields: [
    { name: "key", type: "string", nullable: true },
    { name: "at", type, nullable: true },
  ],
});

const stream = (processor: ProcessorFactory, delayMs: number, output: { schema: Schema; eventTime: string | null }) =>
  operatorStream(
    [
      transformWithState({
        operatorId: "max",
        keys: keyColumns([{ name: "key", type: "string", nullable: true }]),
        eventTime: { name: "ts", type: "timestamp" },
        timeMode: "eventTime",
        processor,
        output,
      }),
    ],
    { delayMs, timeOf: (row) => row["ts"] as number },
  );

const at = (key: string, ...seconds: number[]): Row[] => seconds.map((second) => ({ key, ts: second * 1000 }));

/** Emits (key, highest second so far), and (key, -1) 5 s of event time after it. */
const highest: ProcessorFactory = () => {
  let seconds: () => number | null;
  let keep: (value: number) => void;
  let again: (from: number | null, to: number) => void;
  const processor: StatefulProcessor = {
    init(handle) {
      const max = handle.getValueState<number>("max");
      seconds = () => max.get();
      keep = (value) => max.update(value);
      again = (from, to) => {
        if (from !== null) handle.deleteTimer((from + 5) * 1000);
        handle.registerTimer((to + 5) * 1000);
      };
    },
    handleInputRows(key, rows) {
      const before = seconds();
      const max = Math.max(before ?? 0, ...rows.map((row) => (row["ts"] as number) / 1000));
      keep(max);
      again(before, max);
      return [{ key: key["key"], at: max }];
    },
    handleExpiredTimer: (key) => [{ key: key["key"], at: -1 }],
  };
  return processor;
};

describe("trial 59: event-time timers", () => {
  it("fire when the watermark passes them, in the pass that follows the data", () => {
    const keys = stream(highest, 10_000, { schema: schemaOf("long"), eventTime: null });
    expect(keys.add(at("a", 11, 13, 15)).output).toEqual([{ key: "a", at: 15 }]);
    expect(keys.watermark).toBe(5_000);
    const late = keys.add(at("a", 4));
    expect(late.output).toEqual([]);
    expect(late.data[0]!.metrics.numRowsDroppedByWatermark).toBe(1);
    expect(keys.add(at("a", 10)).output).toEqual([{ key: "a", at: 15 }]);
    expect(keys.add(at("b", 31)).output).toEqual([
      { key: "b", at: 31 },
      { key: "a", at: -1 },
    ]);
  });
});

describe("trial 61: rows older than the watermark", () => {
  const ancient: ProcessorFactory = () => ({
    init() {},
    handleInputRows: (key) => [{ key: key["key"], at: 1 }],
  });

  it("are refused with both values, but for the first batch, which has no watermark yet", () => {
    const minute = Date.parse("2024-02-01T00:00:00Z") / 1000;
    const keys = stream(ancient, 60_000, { schema: schemaOf("timestamp"), eventTime: "at" });
    expect(keys.add(at("a", minute)).output).toEqual([{ key: "a", at: 1 }]);
    expect(() => keys.add(at("a", minute))).toThrow(/1970-01-01T00:00:00.001Z.*2024-01-31T23:59:00.000Z/);
  });
});
