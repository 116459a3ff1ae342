import { describe, expect, it } from "vitest";
import { projectOperator } from "../../lib/operators/project.js";
import { passContext } from "./pass-context.js";

describe("projectOperator", () => {
  it("makes the columns in order, undefined as NULL", () => {
    const operator = projectOperator({
      operatorId: "p",
      columns: [
        { name: "b", value: (row) => row["a"] },
        { name: "c", value: () => undefined },
      ],
    });
    operator.beginPass(passContext().context);
    const { rows } = operator.process({ rows: [{ a: 1 }], origin: null }, 0);
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
        { name: "w", windows: (row) => (row["t"] === null ? [] : windows) },
        { name: "t", value: (row) => row["t"] },
      ],
    });
    const { context, withoutTime } = passContext();
    operator.beginPass(context);
    const { rows } = operator.process({ rows: [{ t: 7 }, { t: null }], origin: null }, 0);
    expect(rows).toEqual(windows.map((w) => ({ w, t: 7 })));
    expect(withoutTime).toMatchObject([{ operatorId: "p", reason: "no-event-time" }]);
  });
});
