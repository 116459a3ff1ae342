import type { LogicalNode } from "../plan/logical-plan.js";
import type { Row, Schema } from "../plan/schema.js";
import { inputsOf, isStateful, nodesUpwards } from "../plan/walk.js";

/** The columns of a row that a stateful operator turned away, so that the times in it are written as times. */
export type RowSchemaOf = (operatorId: string, row: Row) => Schema | undefined;

/** A join turns away rows of either side: the side whose columns the row has. */
export function rowSchemas(plan: LogicalNode): RowSchemaOf {
  const inputs = new Map(
    nodesUpwards(plan)
      .filter(isStateful)
      .map((node) => [node.operatorId, inputsOf(node).map(({ schema }) => schema)]),
  );
  return (operatorId, row) =>
    inputs.get(operatorId)?.find(({ fields }) => fields.every(({ name }) => Object.hasOwn(row, name)));
}
