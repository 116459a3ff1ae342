import type { Row } from "../../plan/schema.js";

/** A compiled expression over one row or, in a join's condition, over the row of each side. NULL is null, never undefined. */
export type Evaluator = (row: Row, right?: Row) => unknown;
