import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { QueryDefinition, SourceNode } from "../plan/logical-plan.js";
import type { Schema } from "../plan/schema.js";
import { hookDecoder, withMetadata } from "../sources/decode-hook.js";
import type { Decode } from "../sources/decoded-values.js";
import { METADATA, metadataOf, type RecordPlace } from "../sources/record-metadata.js";
import { compileRowDecoder, compileRowReader } from "../sources/row-decoder.js";
import { rowsAsColumns } from "../sources/rows-as-columns.js";
import { compileBatchDecoder } from "../sources/scan/batch-decoder.js";
import type { BatchDecoder, DecodedRow, RowDecoder, SourceRecord } from "../sources/source.js";
import { compileStandardDecoder, standardValueReader } from "../sources/standard-decoder.js";

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
  const { validate, metadata = {}, decode } = descriptor;
  const stored = { ...schema, fields: schema.fields.filter(({ name }) => !Object.hasOwn(metadata, name)) };
  const standard = validate === undefined ? null : (functions[validate] as StandardSchemaV1);
  const rows = standard === null ? compileRowDecoder(stored) : compileStandardDecoder(standard, stored);
  const columns = (): BatchDecoder => {
    if (decode !== undefined) {
      const value = standard === null ? valueReader(stored) : standardValueReader(standard, stored);
      return hookDecoder(functions[decode] as Decode, { json: rows, value, schema: stored });
    }
    return standard === null ? compileBatchDecoder(stored, rows, { wanted: reads, ...scan }) : rowsAsColumns(rows);
  };
  const known = Object.entries(metadata).map(([name, of]) => ({
    name,
    value: (record: SourceRecord, place: RecordPlace) => METADATA[of].value(metadataOf(record, place)),
  }));
  if (known.length > 0) return Object.assign(rows, { columns: withMetadata(columns(), known) });
  return standard !== null && decode === undefined ? rows : Object.assign(rows, { columns: columns() });
}

/** Values that a function made: what is read of them must not change them. */
function valueReader(schema: Schema): (value: object) => DecodedRow {
  const read = compileRowReader(schema);
  return (value) => read({ ...value }, null);
}
