import type { SourceConnector } from "../plan/connectors/source-connector.js";
import type { LogicalNode, QueryDefinition } from "../plan/logical-plan.js";

/**
 * The query with files in place of its sources (DATA.md section 10): no arrival times, so the watermark is Spark's maximum and there is
 * no guard against clocks that run ahead. The validator of a Standard Schema stays.
 */
export const withFileSources = (definition: QueryDefinition): QueryDefinition =>
  Object.freeze({ ...definition, plan: withFiles(definition.plan) });

function withFiles(node: LogicalNode): LogicalNode {
  switch (node.kind) {
    case "source":
      return Object.freeze({ ...node, descriptor: fileDescriptor(node.descriptor) });
    case "static":
      return node;
    case "union":
      return Object.freeze({ ...node, inputs: [withFiles(node.inputs[0]), withFiles(node.inputs[1])] as const });
    case "join":
      return Object.freeze({ ...node, left: withFiles(node.left), right: withFiles(node.right) });
    default:
      return Object.freeze({ ...node, input: withFiles(node.input) });
  }
}

const fileDescriptor = ({ validate }: SourceConnector): SourceConnector =>
  Object.freeze({ kind: "files", ...(validate === undefined ? {} : { validate }) });
