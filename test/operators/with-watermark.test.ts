import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { watermarkOperator } from "../../lib/operators/with-watermark.js";
import { originsOf } from "./batches.js";

describe("watermarkOperator", () => {
  it("shows every row's time in order, NULL too, and passes the chunk on as it is", () => {
    const seen: unknown[] = [];
    const operator = watermarkOperator({
      column: "t",
      cast: null,
      observe: (times, selection, origins) => {
        for (const row of selection) seen.push([times.get(row), origins?.record(row)]);
      },
    });
    const batch = rowBatch([{ t: 5 }, { t: null }], originsOf([3, 4]));
    expect(operator.process(batch, 0)).toBe(batch);
    expect(seen).toEqual([
      [5, 3],
      [null, 4],
    ]);
  });

  it("casts its column in a copy of the row, which another branch may share", () => {
    const row = { t: "1970-01-01T00:00:01Z" };
    const operator = watermarkOperator({
      column: "t",
      cast: (value) => Date.parse(value as string),
      observe: () => {},
    });
    expect(operator.process(rowBatch([row]), 0).rows()).toEqual([{ t: 1000 }]);
    expect(row.t).toBe("1970-01-01T00:00:01Z");
  });
});
