import { expect, it } from "vitest";
import { drainedRows } from "../../lib/runtime/drain.js";

it("every row after a drain is late, with its record if it has one", () => {
  const rows = [{ n: 1 }, { n: 2 }];
  const origin = [0, 1].map((record) => ({ source: 0, record }));
  expect(drainedRows({ rows, origin }, 5)).toEqual(
    rows.map((row, at) => ({
      operatorId: "drain",
      row,
      origin: origin[at],
      eventTime: null,
      watermark: 5,
      reason: "drained",
    })),
  );
  expect(drainedRows({ rows, origin: null }, 5).map((row) => row.origin)).toEqual([null, null]);
});
