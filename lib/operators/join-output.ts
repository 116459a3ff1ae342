import { columnNames } from "../plan/data-type.js";
import type { PerSide, Side } from "../plan/join-condition.js";
import type { JoinType } from "../plan/logical-plan.js";
import type { Row, Schema } from "../plan/schema.js";

/** How output rows are put together; `using` columns stand once, from the left, from the right in a right outer join. */
export interface JoinOutput {
  combine(left: Row, right: Row): Row;
  /** The row of one side with NULLs for the other. */
  pad(side: Side, row: Row): Row;
}

const nullsOf = (schema: Schema): Row =>
  Object.freeze(Object.fromEntries(columnNames(schema).map((name) => [name, null])));

export function joinOutput(type: JoinType, schemas: PerSide<Schema>, using: readonly string[] | undefined): JoinOutput {
  const nulls = { left: nullsOf(schemas.left), right: nullsOf(schemas.right) };
  const shared = type === "rightOuter" ? [] : (using ?? []);
  return {
    combine(leftRow, rightRow) {
      const row: Row = { ...leftRow, ...rightRow };
      for (const name of shared) row[name] = leftRow[name];
      return row;
    },
    pad: (side, row) => (side === "left" ? { ...nulls.right, ...row } : { ...nulls.left, ...row }),
  };
}
