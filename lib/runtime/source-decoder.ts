import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { SourceNode } from "../plan/logical-plan.js";
import { compileRowDecoder } from "../sources/row-decoder.js";
import type { RowDecoder } from "../sources/source.js";
import { compileStandardDecoder } from "../sources/standard-decoder.js";

/** Declared columns take the fast path; any other Standard Schema validates each payload itself. */
export function sourceDecoder({ descriptor, schema }: SourceNode): RowDecoder {
  const declared = descriptor["schema"] as StandardSchemaV1 | undefined;
  const foreign = declared?.["~standard"] !== undefined && declared["~standard"].vendor !== "tidemark";
  return foreign ? compileStandardDecoder(declared, schema) : compileRowDecoder(schema);
}
