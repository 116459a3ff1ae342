import type { QueryDefinition } from "../logical-plan.js";

/**
 * The query with one state partition, for who runs it in one process: the same rows, late rows and watermark as its partitions make
 * together (docs/design/partitions.md L1).
 */
export function onePartition(definition: QueryDefinition): QueryDefinition {
  if (definition.options.statePartitions === 1) return definition;
  const { partitionBy: _, ...options } = definition.options;
  return { ...definition, options: { ...options, statePartitions: 1 } };
}
