import { expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { drainedRows } from "../../lib/runtime/drain.js";
import { placed } from "../operators/batches.js";

it("every row after a drain is late, with its record if it has one", () => {
  const rows = [{ n: 1 }, { n: 2 }];
  expect(drainedRows(placed(rows), 5)).toEqual(
    rows.map((row, at) => ({
      operatorId: "drain",
      row,
      origin: { source: 0, record: at },
      eventTime: null,
      watermark: 5,
      reason: "drained",
    })),
  );
  expect(drainedRows(rowBatch(rows), 5).map((row) => row.origin)).toEqual([null, null]);
});
