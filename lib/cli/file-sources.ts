import type { FileOptions } from "../plan/connectors/file-options.js";
import type { SourceConnector } from "../plan/connectors/source-connector.js";
import type { LogicalNode, QueryDefinition } from "../plan/logical-plan.js";

/**
 * The query with files in place of its sources (DATA.md section 10): no arrival times, so the watermark is Spark's maximum and there is
 * no guard against clocks that run ahead. The validator of a Standard Schema stays.
 */
export const withFileSources = (definition: QueryDefinition, options: FileOptions = {}): QueryDefinition =>
  Object.freeze({ ...definition, plan: withFiles(definition.plan, options) });

function withFiles(node: LogicalNode, options: FileOptions): LogicalNode {
  switch (node.kind) {
    case "source":
      return Object.freeze({ ...node, descriptor: fileDescriptor(node.descriptor, options) });
    case "static":
      return node;
    case "union":
      return Object.freeze({
        ...node,
        inputs: [withFiles(node.inputs[0], options), withFiles(node.inputs[1], options)] as const,
      });
    case "join":
      return Object.freeze({ ...node, left: withFiles(node.left, options), right: withFiles(node.right, options) });
    default:
      return Object.freeze({ ...node, input: withFiles(node.input, options) });
  }
}

const fileDescriptor = (source: SourceConnector, given: FileOptions): SourceConnector => {
  const { validate, decode, metadata } = source;
  const options = { ...(source.kind === "files" ? source.options : {}), ...given };
  return Object.freeze({
    kind: "files",
    ...(validate === undefined ? {} : { validate }),
    ...(decode === undefined ? {} : { decode }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  });
};
