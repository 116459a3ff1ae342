import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { vectorOf } from "../../lib/operators/evaluate/reader.js";
import { projectOperator } from "../../lib/operators/project.js";
import { onRow, placed, recordsOf } from "./batches.js";
import { passContext } from "./pass-context.js";

describe("projectOperator", () => {
  it("makes the columns in order, undefined as NULL", () => {
    const operator = projectOperator({
      operatorId: "p",
      columns: [
        { name: "b", vector: (batch) => batch.column("a") },
        { name: "c", vector: vectorOf(() => () => undefined) },
      ],
    });
    operator.beginPass(passContext().context);
    const rows = operator.process(rowBatch([{ a: 1 }]), 0).rows();
    expect(rows).toEqual([{ b: 1, c: null }]);
    expect(Object.keys(rows[0]!)).toEqual(["b", "c"]);
  });

  it("repeats a row for each of its windows, and reports one without time", () => {
    const windows = [
      { start: 0, end: 10 },
      { start: 5, end: 15 },
    ];
    const operator = projectOperator({
      operatorId: "p",
      columns: [
        { name: "w", windows: onRow((row) => (row["t"] === null ? [] : windows)) },
        { name: "t", vector: (batch) => batch.column("t") },
      ],
    });
    const { context, withoutTime } = passContext();
    operator.beginPass(context);
    const projected = operator.process(placed([{ t: 6 }, { t: 7 }, { t: null }]).select(Int32Array.of(1, 2)), 0);
    expect(recordsOf(projected)).toEqual([1, 1]);
    expect(projected.rows()).toEqual(windows.map((w) => ({ w, t: 7 })));
    expect(withoutTime).toMatchObject([{ operatorId: "p", reason: "no-event-time" }]);
  });
});
