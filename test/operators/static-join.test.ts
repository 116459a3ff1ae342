import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { type StaticJoinSpec, staticJoinOperator } from "../../lib/operators/static-join.js";
import type { Expression } from "../../lib/plan/expression.js";
import { analyseJoin } from "../../lib/plan/join-condition.js";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { placed, recordsOf } from "./batches.js";
import { and, call, eq, l, number, r } from "./join-expressions.js";

const clicks: Schema = {
  fields: [
    { name: "user", type: "string", nullable: true },
    { name: "n", type: "long", nullable: false },
  ],
};
const users: Schema = {
  fields: [
    { name: "id", type: "string", nullable: true },
    { name: "age", type: "long", nullable: true },
  ],
};
const table: readonly Row[] = [
  { id: "a", age: 10 },
  { id: "a", age: 20 },
  { id: "b", age: 30 },
  { id: null, age: 40 },
];

function join(type: StaticJoinSpec["type"], on: Expression, ...stream: Row[]) {
  const condition = analyseJoin(
    type,
    on,
    { schema: clicks, eventTime: undefined },
    { schema: users, eventTime: undefined },
  );
  const operator = staticJoinOperator({
    stream: "left",
    type,
    condition,
    left: clicks,
    right: users,
    rows: () => table,
  });
  const batch = operator.process(placed(stream), 0);
  return { rows: batch.rows(), records: recordsOf(batch) };
}

const a = { user: "a", n: 1 };
const c = { user: "c", n: 2 };
const none = { user: null, n: 3 };
const sameUser = eq(l("user"), r("id"));

describe("join with a fixed table", () => {
  it("emits each row with all its partners in the table's order, and keeps where each came from", () => {
    expect(join("inner", sameUser, c, a, none)).toEqual({
      rows: [
        { ...a, id: "a", age: 10 },
        { ...a, id: "a", age: 20 },
      ],
      records: [1, 1],
    });
  });

  it("pads the rows without a partner in a left outer join, those with a NULL key too", () => {
    expect(join("leftOuter", sameUser, c, none).rows).toEqual([
      { ...c, id: null, age: null },
      { ...none, id: null, age: null },
    ]);
  });

  it("parts rows with a partner from rows without in semi and anti joins", () => {
    expect(join("leftSemi", sameUser, a, c, none)).toEqual({ rows: [a], records: [0] });
    expect(join("leftAnti", sameUser, a, c, none)).toEqual({ rows: [c, none], records: [1, 2] });
  });

  it("holds conditions on the table's side, on the stream's side and on both", () => {
    const adult = and(sameUser, call("gt", r("age"), number(15)));
    expect(join("leftOuter", adult, a).rows).toEqual([{ ...a, id: "a", age: 20 }]);
    const many = and(sameUser, call("gt", l("n"), number(5)));
    expect(join("leftOuter", many, a).rows).toEqual([{ ...a, id: null, age: null }]);
    expect(join("leftAnti", many, a).rows).toEqual([a]);
    const older = and(sameUser, call("gt", r("age"), l("n")), call("lt", r("age"), number(15)));
    expect(join("inner", older, a).rows).toEqual([{ ...a, id: "a", age: 10 }]);
  });

  it("needs no equality", () => {
    expect(join("inner", call("gt", l("n"), r("age")), { user: "x", n: 35 }).rows).toHaveLength(3);
  });

  it("puts the table's columns first when the table stands on the left of an inner join", () => {
    const on = and(eq(l("id"), r("user")), call("gt", l("age"), number(15)), call("lt", r("n"), l("age")));
    const condition = analyseJoin(
      "inner",
      on,
      { schema: users, eventTime: undefined },
      { schema: clicks, eventTime: undefined },
    );
    const spec = { stream: "right", type: "inner", condition, left: users, right: clicks, rows: () => table } as const;
    const rows = staticJoinOperator(spec)
      .process(rowBatch([a, c, none]), 0)
      .rows();
    expect(rows.map((row) => Object.entries(row))).toEqual([Object.entries({ id: "a", age: 20, user: "a", n: 1 })]);
  });
});
