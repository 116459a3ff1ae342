import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { lateGate } from "../../lib/operators/late-gate.js";
import { noCounts } from "../../lib/operators/pass-counts.js";
import { originsOf } from "./batches.js";
import { passContext } from "./pass-context.js";

const TS = { name: "ts", type: "timestamp" } as const;
const WINDOW = { name: "w", type: "window" } as const;
const row = { ts: 12.345, w: { start: 0, end: 10 } };
const batch = rowBatch([{}, row], originsOf([1, 2], 1));

describe("lateGate", () => {
  it("lets rows in that are newer than the watermark, and reports the others with their origin", () => {
    const { context, late } = passContext({ watermarkForLateEvents: 12.345 });
    const gate = lateGate("op", TS);
    const count = gate.begin(context);
    expect(gate.admit(batch, 1, 12_345)).toBe(false);
    expect(gate.admit(batch, 1, 12_346)).toBe(true);
    expect(gate.admit(batch, 1, null)).toBe(true);
    expect(late).toEqual([
      { operatorId: "op", row, origin: { source: 1, record: 2 }, eventTime: 12.345, watermark: 12.345 },
    ]);
    expect(count).toEqual({ ...noCounts(), rowsIn: 3, accepted: 2, late: 1 });
  });

  it("says which window a row of an aggregation upstream has missed", () => {
    const { context, late } = passContext({ watermarkForLateEvents: 10 });
    const gate = lateGate("op", WINDOW);
    gate.begin(context);
    expect(gate.admit(batch, 1, 10_000)).toBe(false);
    expect(late).toMatchObject([{ eventTime: 9.999, missed: [{ start: 0, end: 10 }] }]);
  });

  it("lets everything in where there is no watermark, and counts several inputs as one", () => {
    const { context, late } = passContext({ watermarkForLateEvents: 1e12 });
    const both = noCounts();
    for (const column of [null, TS]) lateGate("op", column).begin(context, both);
    const open = lateGate("op", null);
    open.begin(context, both);
    expect(open.admit(batch, 1, 0)).toBe(true);
    open.reject(batch, 1, "no-event-time");
    expect(late).toEqual([]);
    expect(both).toEqual({ ...noCounts(), rowsIn: 1, accepted: 1, withoutTime: 1 });
  });
});
