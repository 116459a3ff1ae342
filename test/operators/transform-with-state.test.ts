import { describe, expect, it } from "vitest";
import { keyColumns } from "../../lib/operators/key-columns.js";
import type {
  StatefulProcessor,
  StatefulProcessorHandle,
  ValueState,
} from "../../lib/operators/stateful/stateful-processor.js";
import { type TransformWithStateSpec, transformWithState } from "../../lib/operators/transform-with-state.js";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { timerSession } from "../conformance/handlers.js";
import { counters, operatorHarness } from "./operator-harness.js";

const OUTPUT: Schema = {
  fields: [
    { name: "key", type: "string", nullable: true },
    { name: "kind", type: "string", nullable: true },
    { name: "count", type: "long", nullable: true },
    { name: "expiryMs", type: "long", nullable: true },
    { name: "wm", type: "long", nullable: true },
  ],
};

const operator = (processor: TransformWithStateSpec["processor"], options: Partial<TransformWithStateSpec> = {}) =>
  transformWithState({
    operatorId: "tws",
    keys: keyColumns([{ name: "user", type: "string", nullable: true }]),
    eventTime: { name: "ts", type: "timestamp" },
    timeMode: "eventTime",
    processor,
    output: { schema: OUTPUT, eventTime: null },
    ...options,
  });

const make = (processor: TransformWithStateSpec["processor"], options: Partial<TransformWithStateSpec> = {}) =>
  operatorHarness(operator(processor, options));

const row = (user: string, ts: number | null): Row => ({ user, ts });
const data = (key: string, count: number, wm: number) => ({ key, kind: "data", count, expiryMs: null, wm });
const timer = (key: string, count: number, expiryMs: number, wm: number) => ({
  key,
  kind: "timer",
  count,
  expiryMs,
  wm,
});

/** A processor from what its `init` returns. */
const processorOf =
  (
    build: (handle: StatefulProcessorHandle) => Omit<StatefulProcessor<Row, Row, Row, unknown>, "init">,
    initialState?: StatefulProcessor<Row, Row, Row, unknown>["initialState"],
  ): TransformWithStateSpec["processor"] =>
  () => {
    const processor: StatefulProcessor<Row, Row, Row, unknown> = {
      ...(initialState === undefined ? {} : { initialState }),
      init: (handle) => void Object.assign(processor, build(handle)),
      handleInputRows: () => [],
    };
    return processor;
  };

describe("transformWithState timers", () => {
  it("fires a timer at its expiry, inclusive, once", () => {
    const run = make(timerSession({ gapMs: 10 }));
    expect(run({ rows: [row("a", 100), row("a", 90)] }).output).toEqual([data("a", 2, 0)]);
    expect(run({ evict: 109 }).output).toEqual([]);
    const pass = run({ evict: 110 });
    expect(pass.output).toEqual([timer("a", 2, 110, 110)]);
    expect(counters(pass)).toEqual([0, 0, 1, 0]);
    expect(run({ evict: 1000 }).output).toEqual([]);
  });

  it("calls for data first, then fires what is due, timers registered by the same pass included", () => {
    const run = make(timerSession({ gapMs: -10 }));
    const pass = run({ rows: [row("a", 100)], late: 95, evict: 95 });
    expect(pass.output).toEqual([data("a", 1, 95), timer("a", 1, 90, 95)]);
    expect(counters(pass)).toEqual([0, 1, 1, 0]);
  });

  it("fires several timers of a key one by one, ascending", () => {
    const run = make(timerSession({ gapMs: 10, keepTimers: true }));
    run({ rows: [row("a", 200)] });
    run({ rows: [row("a", 100), row("b", 150)] });
    run({ rows: [row("a", 300)] });
    expect(run({ evict: 400 }).output).toEqual([
      timer("b", 1, 160, 400),
      timer("a", 3, 210, 400),
      timer("a", 3, 310, 400),
    ]);
  });

  it("drops rows at the watermark and lets NULL times through", () => {
    const pass = make(timerSession({ gapMs: 10 }))({
      rows: [row("a", 50), row("a", 51), row("n", null)],
      late: 50,
      evict: 50,
    });
    expect(pass.output).toEqual([data("a", 1, 50), data("n", 1, 50)]);
    expect(counters(pass)).toEqual([2, 2, 0, 1]);
  });

  it("does not fire a timer that an earlier one deleted, and leaves timers registered meanwhile to the next pass", () => {
    const fired: number[] = [];
    const run = make(
      processorOf((handle) => ({
        handleInputRows: () => {
          for (const at of [1, 2]) handle.registerTimer(at);
          return [];
        },
        handleExpiredTimer: (_key, _timers, expired) => {
          fired.push(expired.getExpiryTimeInMs());
          handle.deleteTimer(2);
          if (fired.length === 1) handle.registerTimer(3);
          return [];
        },
      })),
    );
    run({ rows: [row("a", 1)], evict: 10 });
    expect(fired).toEqual([1]);
    run({ evict: 10 });
    expect(fired).toEqual([1, 3]);
  });

  it("fires by processing time where that is the mode, and calls no row late", () => {
    const run = make(
      processorOf((handle) => ({
        handleInputRows: (key, _rows, timers) => {
          handle.registerTimer(timers.getCurrentProcessingTimeInMs() + 1000);
          return [{ key: key["user"], kind: "data" }];
        },
        handleExpiredTimer: (key) => [{ key: key["user"], kind: "timer" }],
      })),
      { timeMode: "processingTime" },
    );
    expect(run({ rows: [row("a", 1)], late: 50, evict: 50, processingTime: 5000 }).output).toHaveLength(1);
    expect(run({ processingTime: 5999 }).output).toEqual([]);
    expect(run({ processingTime: 6000 }).output).toMatchObject([{ key: "a", kind: "timer" }]);
  });

  it("refuses timers in time mode none, and timers at no time", () => {
    const at = (time: number) =>
      processorOf((handle) => ({
        handleInputRows: () => {
          handle.registerTimer(time);
          return [];
        },
      }));
    expect(() => make(at(1), { timeMode: "none" })({ rows: [row("a", 1)] })).toThrow(/timers-without-time-mode/);
    expect(() => make(at(Number.NaN))({ rows: [row("a", 1)] })).toThrow(/timer-invalid/);
  });

  it("keeps timers over a restart", () => {
    const state = memoryState();
    operatorHarness(operator(timerSession({ gapMs: 10 })), state)({ rows: [row("a", 100)] });
    expect(operatorHarness(operator(timerSession({ gapMs: 10 })), state)({ evict: 110 }).output).toEqual([
      timer("a", 1, 110, 110),
    ]);
  });
});

describe("transformWithState state", () => {
  it("keeps state variables apart by key and by name", () => {
    const run = make(
      processorOf((handle) => {
        const rows = handle.getValueState<number>("rows");
        const names = handle.getListState<string>("names");
        return {
          handleInputRows: (key, input) => {
            rows.update((rows.get() ?? 0) + input.length);
            names.appendValue(String(key["user"]));
            return [{ key: names.get().join(), count: rows.get() }];
          },
        };
      }),
    );
    run({ rows: [row("a", 1), row("b", 1), row("a", 2)] });
    expect(run({ rows: [row("a", 3)] }).output).toMatchObject([{ key: "a,a", count: 3 }]);
  });

  it("forgets a value when its time to live is over, and counts it removed", () => {
    const run = make(
      processorOf((handle) => {
        const last = handle.getValueState<number>("last", { ttlMs: 1000 });
        return {
          handleInputRows: (_key, rows, timers) => {
            const count = last.get();
            if (rows[0]?.["ts"] !== 0) last.update(timers.getCurrentProcessingTimeInMs());
            return [{ count }];
          },
        };
      }),
    );
    run({ rows: [row("a", 1)], processingTime: 5000 });
    expect(run({ rows: [row("a", 0)], processingTime: 5999 }).output).toMatchObject([{ count: 5000 }]);
    const expired = run({ rows: [row("a", 0)], processingTime: 6000 });
    expect(expired.output).toMatchObject([{ count: null }]);
    expect(counters(expired)).toEqual([0, 0, 1, 0]);
  });

  it("takes initial state over once, before the first rows", () => {
    const processor = processorOf(
      (handle) => {
        const seen = handle.getValueState<number>("seen");
        return {
          handleInitialState: (_key, initial) => seen.update(initial as number),
          handleInputRows: (key, rows) => {
            seen.update((seen.get() ?? 0) + rows.length);
            return [{ key: key["user"], count: seen.get() }];
          },
        };
      },
      [{ key: { user: "a" }, value: 100 }],
    );
    const state = memoryState();
    expect(operatorHarness(operator(processor), state)({ rows: [row("a", 1), row("b", 1)] }).output).toMatchObject([
      { key: "a", count: 101 },
      { key: "b", count: 1 },
    ]);
    expect(operatorHarness(operator(processor), state)({ rows: [row("a", 2)] }).output).toMatchObject([{ count: 102 }]);
  });

  it("hands out copies, so that user code cannot change stored state in place", () => {
    const run = make(
      processorOf((handle) => {
        const list = handle.getValueState<number[]>("list");
        return {
          handleInputRows: () => {
            const value = list.get() ?? [];
            const count = value.length;
            if (!list.exists()) list.update(value);
            value.push(1);
            return [{ count }];
          },
        };
      }),
    );
    for (const pass of [1, 2, 3]) expect(run({ rows: [row("a", pass)] }).output).toMatchObject([{ count: 0 }]);
  });

  it("refuses what cannot be stored, with the path to it", () => {
    const run = make(
      processorOf((handle) => {
        const value = handle.getValueState<unknown>("value");
        return {
          handleInputRows: () => {
            value.update({ deep: [1, new Map()] });
            return [];
          },
        };
      }),
    );
    expect(() => run({ rows: [row("a", 1)] })).toThrow(/state-value-unsupported.*Map.*deep\[1\]/);
  });

  it("refuses state variables asked for after init, names taken twice, and state outside a call", () => {
    const twice = processorOf((handle) => {
      handle.getValueState("x");
      handle.getMapState("x");
      return { handleInputRows: () => [] };
    });
    expect(() => operator(twice)).toThrow(/state-name-taken/);
    const later = processorOf((handle) => ({
      handleInputRows: () => {
        handle.getValueState("y");
        return [];
      },
    }));
    expect(() => make(later)({ rows: [row("a", 1)] })).toThrow(/state-outside-init/);
    const outside = processorOf((handle) => {
      handle.getValueState("z").get();
      return { handleInputRows: () => [] };
    });
    expect(() => operator(outside)).toThrow(/state-outside-call/);
  });

  it("runs generators while their key is current", () => {
    class Lazy implements StatefulProcessor {
      private seen!: ValueState<number>;
      init(handle: StatefulProcessorHandle): void {
        this.seen = handle.getValueState<number>("seen");
      }
      *handleInputRows(key: Row): Iterable<Row> {
        this.seen.update((this.seen.get() ?? 0) + 1);
        yield { key: key["user"], count: this.seen.get() };
      }
    }
    expect(make(() => new Lazy())({ rows: [row("a", 1), row("b", 1)] }).output).toMatchObject([
      { key: "a", count: 1 },
      { key: "b", count: 1 },
    ]);
  });
});

describe("transformWithState output", () => {
  const emitting = (time: number) => processorOf(() => ({ handleInputRows: () => [{ at: time }] }));
  const output = { schema: { fields: [{ name: "at", type: "timestamp", nullable: true }] }, eventTime: "at" } as const;

  it("refuses a row older than the watermark, naming both", () => {
    const watermark = Date.parse("2024-01-31T23:59:00Z");
    const run = make(emitting(1), { output });
    expect(run({ rows: [row("a", 1)] }).output).toEqual([{ at: 1 }]);
    expect(() => run({ rows: [row("a", watermark + 1)], late: watermark, evict: watermark })).toThrow(
      /output-older-than-watermark.*1970-01-01T00:00:00.001Z.*2024-01-31T23:59:00.000Z/,
    );
  });

  it("accepts a row at the watermark, and an old one where no event time is declared", () => {
    expect(make(emitting(50), { output })({ rows: [row("a", 60)], evict: 50 }).output).toEqual([{ at: 50 }]);
    const undeclared = { ...output, eventTime: null };
    expect(make(emitting(1), { output: undeclared })({ rows: [row("a", 60)], evict: 50 }).output).toEqual([{ at: 1 }]);
  });
});
