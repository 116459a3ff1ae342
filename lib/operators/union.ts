import { NO_BATCHES, type Operator } from "./operator.js";

/** Both inputs as they come; their columns agree by name, order and type (the plan's factory sees to it). */
export const unionOperator = (): Operator => ({
  beginPass() {},
  process: (batch) => batch,
  endPass: () => NO_BATCHES,
});
