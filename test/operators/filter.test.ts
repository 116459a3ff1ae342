import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { columnReader } from "../../lib/operators/evaluate/reader.js";
import { filterOperator } from "../../lib/operators/filter.js";
import { passContext } from "./pass-context.js";

describe("filterOperator", () => {
  it("removes false and NULL, and counts what it removes in this pass", () => {
    const filter = filterOperator(columnReader("keep"));
    filter.beginPass(passContext().context);
    const rows = [true, false, null, true].map((keep) => ({ keep }));
    expect(filter.process(rowBatch(rows), 0).rows()).toEqual([{ keep: true }, { keep: true }]);
    expect(filter.filtered).toBe(2);
    filter.beginPass(passContext().context);
    expect(filter.filtered).toBe(0);
  });
});
