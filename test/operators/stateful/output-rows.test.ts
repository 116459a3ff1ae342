import { describe, expect, it } from "vitest";
import { outputRows } from "../../../lib/operators/stateful/output-rows.js";
import type { Schema } from "../../../lib/plan/schema.js";
import { LAST_WATERMARK } from "../../../lib/time/event-time.js";

const schema: Schema = {
  fields: [
    { name: "at", type: "timestamp", nullable: true },
    { name: "n", type: "long", nullable: true },
  ],
};
const spec = { operatorId: "op", schema, eventTime: "at" };

describe("outputRows", () => {
  it("puts columns in the schema's order, absent ones null, undeclared ones away", () => {
    const [row] = outputRows(spec, [{ n: undefined, other: 1, at: new Date(5) }], 0);
    expect(row).toEqual({ at: 5, n: null });
    expect(Object.keys(row!)).toEqual(["at", "n"]);
  });

  it("keeps undeclared columns of an open schema", () => {
    expect(outputRows({ ...spec, schema: { ...schema, open: true } }, [{ other: 1 }], 0)).toEqual([
      { other: 1, at: null, n: null },
    ]);
  });

  it("brings times to microseconds and refuses what is none", () => {
    expect(outputRows(spec, [{ at: 1.00049 }], 0)).toEqual([{ at: 1, n: null }]);
    expect(() => outputRows(spec, [{ at: "2024-01-01" }], 0)).toThrow(/output-not-a-time.*at/);
  });

  it("refuses declared event times older than the watermark, but for NULL and in a drain", () => {
    expect(() => outputRows(spec, [{ at: 9 }], 10)).toThrow(/output-older-than-watermark/);
    expect(outputRows(spec, [{ at: null }, { at: 10 }], 10)).toHaveLength(2);
    expect(outputRows(spec, [{ at: 9 }], LAST_WATERMARK)).toHaveLength(1);
    expect(outputRows({ ...spec, eventTime: null }, [{ at: 9 }], 10)).toHaveLength(1);
  });
});
