import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import type { LateRule } from "../../lib/plan/logical-plan.js";
import { aggregateNode, makeWindow, sourceNode, watermarkNode } from "../../lib/plan/nodes/nodes.js";
import type { Row } from "../../lib/plan/schema.js";
import { runPasses, type Watermarks } from "../../lib/planner/passes.js";
import { planQuery } from "../../lib/planner/plan-query.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { NO_WATERMARK } from "../../lib/time/event-time.js";
import { advanceNode } from "../../lib/time/watermark.js";
import type { Window } from "../../lib/time/window.js";
import { collectPass } from "../planner/collect-pass.js";
import { definitionOf } from "../planner/plans.js";

/** Whole seconds throughout; the engine has milliseconds. */
const SIZE = 10;
const SECOND = 1000;

interface Shape {
  readonly slide: number;
  readonly delay: number;
  readonly lateRule: LateRule;
  readonly batches: readonly (readonly (number | null)[])[];
}

const shapes = fc.record({
  slide: fc.constantFrom(5, 10),
  delay: fc.integer({ min: 0, max: 15 }),
  lateRule: fc.constantFrom<LateRule>("state", "event-time"),
  batches: fc.array(
    fc.array(fc.option(fc.integer({ min: -30, max: 90 }), { freq: 10 }), { minLength: 1, maxLength: 12 }),
    {
      maxLength: 8,
    },
  ),
});

interface Outcome {
  /** Window start → count, for every window emitted, in order. */
  readonly windows: readonly (readonly [start: number, count: number])[];
  readonly late: number;
  readonly partlyLate: number;
  readonly withoutTime: number;
}

/** The engine: data pass and follow-up pass per batch, then a pass that closes everything. */
function engine({ slide, delay, lateRule, batches }: Shape): Outcome {
  const events = sourceNode(
    "events",
    { kind: "memory" },
    { fields: [{ name: "t", type: "timestamp", nullable: true }] },
  );
  const plan = aggregateNode(watermarkNode(events, "t", `${delay} seconds`), {
    window: makeWindow({ column: "t", size: `${SIZE} seconds`, slide: `${slide} seconds` }),
    keys: [],
    aggregates: [{ as: "n", fn: "count" }],
  });
  const query = planQuery(definitionOf(plan, { lateRule }));
  const state = memoryState();
  let watermarks: Watermarks = { lastPassWatermark: NO_WATERMARK, watermark: NO_WATERMARK };
  const output: Row[] = [];
  const totals = { late: 0, partlyLate: 0, withoutTime: 0 };
  const run = (rows: readonly Row[], advanced: (max: number | undefined) => number) => {
    const staged = state.stage();
    const result = collectPass(
      runPasses({
        query,
        watermarks,
        options: { processingTime: 0, state: staged },
        noDataPasses: true,
        leadingPass: true,
        feed: () => query.process(0, { batch: rowBatch(rows), shard: "s", arrivals: null, maxFutureSkewMs: null }),
        advance: ({ observations }) => advanced(observations[0]?.maxEventTime),
      }),
    );
    watermarks = result.watermarks;
    output.push(...result.output);
    for (const pass of [result.leading, result.data, result.followUp]) {
      if (pass === null) continue;
      const [metrics] = pass.stateOperators;
      expect(metrics!.rowsIn).toBe(metrics!.accepted + metrics!.numLateInputRows + metrics!.withoutTime);
      expect(pass.numLateRows).toBe(metrics!.numLateInputRows + metrics!.partlyLate);
      totals.late += metrics!.numLateInputRows;
      totals.partlyLate += metrics!.partlyLate;
      totals.withoutTime += metrics!.withoutTime;
    }
    state.commit(staged);
  };
  for (const times of batches) {
    run(
      times.map((t) => ({ t: t === null ? null : t * SECOND })),
      (max) => (max === undefined ? watermarks.watermark : advanceNode(watermarks.watermark, max, delay * SECOND)),
    );
  }
  run([], () => 1_000 * SECOND);
  return {
    windows: output.map(({ window, n }) => [(window as Window).start / SECOND, n as number] as const),
    ...totals,
  };
}

/** By hand: every row against the watermark of the batches before it. */
function bruteForce({ slide, delay, lateRule, batches }: Shape): Outcome {
  const counts = new Map<number, number>();
  const totals = { late: 0, partlyLate: 0, withoutTime: 0 };
  let watermark = Number.NEGATIVE_INFINITY;
  for (const times of batches) {
    for (const t of times) {
      if (t === null) {
        totals.withoutTime++;
        continue;
      }
      const starts = [];
      for (let start = Math.floor(t / slide) * slide; start > t - SIZE; start -= slide) starts.push(start);
      const behind = lateRule === "event-time" && t < watermark;
      const open = behind ? [] : starts.filter((start) => start + SIZE > watermark);
      if (open.length === 0) totals.late++;
      else if (open.length < starts.length) totals.partlyLate++;
      for (const start of open) counts.set(start, (counts.get(start) ?? 0) + 1);
    }
    const known = times.filter((t) => t !== null);
    if (known.length > 0) watermark = Math.max(watermark, Math.max(...known) - delay);
  }
  return { windows: [...counts].sort((a, b) => a[0] - b[0]), ...totals };
}

describe("windowed counts", () => {
  it("put every row once into result, late or without time, and emit each window once, as computed by hand", () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const outcome = engine(shape);
        const sorted = [...outcome.windows].sort((a, b) => a[0] - b[0]);
        expect({ ...outcome, windows: sorted }).toEqual(bruteForce(shape));
      }),
      { numRuns: 500 },
    );
  });

  it("do not depend on the cut of batches where no row is late", () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 6 }), (shape, cut) => {
        const times = shape.batches.flat();
        const ordered = { ...shape, delay: 200 };
        const recut: (number | null)[][] = [];
        for (let i = 0; i < times.length; i += cut) recut.push(times.slice(i, i + cut));
        const windows = (batches: Shape["batches"]) =>
          [...engine({ ...ordered, batches }).windows].sort((a, b) => a[0] - b[0]);
        expect(windows(recut)).toEqual(windows(shape.batches));
      }),
    );
  });
});
