import { checkConnector } from "../connectors/check-connector.js";
import type { SourceConnector } from "../connectors/source-connector.js";
import type { TableConnector } from "../connectors/table-connector.js";
import type { SourceNode, StaticNode } from "../logical-plan.js";
import { makeSchema } from "../make-schema.js";
import type { Schema } from "../schema.js";

const checked = (schema: Schema): Schema => makeSchema(schema.fields, schema.open === true);

export function sourceNode(name: string, descriptor: SourceConnector, schema: Schema): SourceNode {
  checkConnector("source", descriptor);
  return Object.freeze({ kind: "source", name, descriptor: Object.freeze(descriptor), schema: checked(schema) });
}

/** The fixed side of a stream–static join. */
export function staticNode(name: string, descriptor: TableConnector, schema: Schema): StaticNode {
  checkConnector("table", descriptor);
  return Object.freeze({ kind: "static", name, descriptor: Object.freeze(descriptor), schema: checked(schema) });
}
