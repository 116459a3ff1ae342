import { describe, expect, it } from "vitest";
import { rowBatch } from "../../../lib/columns/column-batch.js";
import { keyColumns } from "../../../lib/operators/key-columns.js";
import type { LateRow } from "../../../lib/operators/operator.js";
import { keyedRows } from "../../../lib/operators/stateful/keyed-rows.js";
import { originsOf } from "../batches.js";
import { scopeFor } from "./scope-for.js";

const keys = keyColumns([{ name: "user", type: "string", nullable: true }]);

describe("keyedRows", () => {
  it("gathers rows by key over chunks, in order of arrival", () => {
    const rows = keyedRows({ operatorId: "op", keys, lateBy: null }, scopeFor("").scope.pass!);
    rows.add(
      rowBatch([
        { user: "b", n: 1 },
        { user: "a", n: 2 },
      ]),
    );
    rows.add(rowBatch([{ user: "b", n: 3 }]));
    expect([...rows.groups]).toEqual([
      [
        "b",
        [
          { user: "b", n: 1 },
          { user: "b", n: 3 },
        ],
      ],
      ["a", [{ user: "a", n: 2 }]],
    ]);
    expect(rows.count).toMatchObject({ rowsIn: 3, accepted: 3, late: 0 });
  });

  it("reports late rows with their origin and keeps them out", () => {
    const late: LateRow[] = [];
    const pass = {
      ...scopeFor("").scope.pass!,
      watermarkForLateEvents: 10,
      late: (row: LateRow) => void late.push(row),
    };
    const rows = keyedRows({ operatorId: "op", keys, lateBy: { name: "ts", type: "timestamp" } }, pass);
    rows.add(
      rowBatch(
        [
          { user: "a", ts: 11 },
          { user: "a", ts: 10 },
        ],
        originsOf([7, 8]),
      ),
    );
    expect(late).toMatchObject([{ eventTime: 10, watermark: 10, origin: { source: 0, record: 8 } }]);
    expect(rows.count).toMatchObject({ rowsIn: 2, accepted: 1, late: 1 });
    expect([...rows.groups.values()]).toEqual([[{ user: "a", ts: 11 }]]);
  });
});
