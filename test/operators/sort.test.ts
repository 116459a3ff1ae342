import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { sortOperator } from "../../lib/operators/sort.js";
import { passContext } from "./pass-context.js";

const sorted = (descending: boolean, ...list: unknown[]) => {
  const operator = sortOperator([{ name: "v", descending }]);
  operator.beginPass(passContext().context);
  for (const v of list) operator.process(rowBatch([{ v }]), 0);
  return [...operator.endPass()].flatMap((batch) => batch.rows()).map(({ v }) => v);
};

describe("sortOperator", () => {
  it("sorts all rows of a pass, NULLs first ascending and last descending", () => {
    expect(sorted(false, 2, null, 1)).toEqual([null, 1, 2]);
    expect(sorted(true, 2, null, 1)).toEqual([2, 1, null]);
  });

  it("goes on to the next column among equals", () => {
    const operator = sortOperator([
      { name: "a", descending: true },
      { name: "b", descending: false },
    ]);
    operator.beginPass(passContext().context);
    const rows = [
      { a: 1, b: 2 },
      { a: 2, b: 9 },
      { a: 1, b: 1 },
    ];
    operator.process(rowBatch(rows), 0);
    expect([...operator.endPass()].flatMap((batch) => batch.rows())).toEqual([
      { a: 2, b: 9 },
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ]);
  });
});
