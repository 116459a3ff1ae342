import type { Row, Schema } from "../plan/schema.js";
import { expandRows } from "./batch-rows.js";
import { NO_BATCHES, type Operator } from "./operator.js";
import { userValue } from "./user-value.js";

/** map and flatMap. Columns that the function leaves out are NULL. */
export function mapOperator(toRows: (row: Row) => Iterable<Row>, schema: Schema): Operator {
  const columns = schema.fields.map(({ name, type }) => ({ name, convert: userValue(type, name) }));
  const complete = (row: Row): Row => {
    const output: Row = schema.open ? { ...row } : {};
    for (const { name, convert } of columns) output[name] = convert(row[name]);
    return output;
  };
  return {
    beginPass() {},
    process: (batch) =>
      expandRows(batch, function* (row) {
        for (const produced of toRows(batch.row(row))) yield complete(produced);
      }),
    endPass: () => NO_BATCHES,
  };
}
