import type { QueryDefinition } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";

/** What making operators needs beside the node. */
export interface PlanContext {
  readonly definition: QueryDefinition;
  /** Rows of a static table by its name, loaded by the runtime before the first pass. */
  readonly staticRows: (name: string) => readonly Row[];
}
