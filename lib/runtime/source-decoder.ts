import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { QueryDefinition, SourceNode } from "../plan/logical-plan.js";
import { compileRowDecoder } from "../sources/row-decoder.js";
import { compileBatchDecoder } from "../sources/scan/batch-decoder.js";
import type { RowDecoder } from "../sources/source.js";
import { compileStandardDecoder } from "../sources/standard-decoder.js";

interface ScanOptions {
  readonly reads?: ReadonlySet<string> | null;
  /** Says of any payload that it goes by the row decoder: for campaigns, which show that no answer depends on it. */
  readonly declines?: () => boolean;
}

/**
 * Declared columns take the fast path, those that the query `reads` as columns are scanned; a foreign Standard Schema, kept among the
 * query's functions, validates each payload itself.
 */
export function sourceDecoder(
  { descriptor, schema }: SourceNode,
  { functions }: QueryDefinition,
  { reads = null, ...scan }: ScanOptions = {},
): RowDecoder {
  const { validate } = descriptor;
  if (validate !== undefined) return compileStandardDecoder(functions[validate] as StandardSchemaV1, schema);
  const decode = compileRowDecoder(schema);
  return Object.assign(decode, { columns: compileBatchDecoder(schema, decode, { wanted: reads, ...scan }) });
}
