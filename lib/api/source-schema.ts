import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { makeSchema } from "../plan/make-schema.js";
import type { Schema } from "../plan/schema.js";
import type { Columns, JsonColumns } from "./column-type.js";
import type { ColumnsSchema } from "./columns.js";

/** `columns()`, or any schema that implements Standard Schema: zod, valibot, arktype, … */
export type SourceSchema = StandardSchemaV1;

/** The columns that a source's schema gives: declared ones, or `json` of the schema's output. */
export type ColumnsOf<Schema extends SourceSchema> =
  Schema extends ColumnsSchema<infer S> ? S : OutputColumns<StandardSchemaV1.InferOutput<Schema>>;

type OutputColumns<Output> = Output extends object
  ? { readonly [Name in keyof JsonColumns<Required<Output>>]: NullForMissing<Output, Name> }
  : Columns;

type NullForMissing<Output, Name extends keyof Output> = JsonColumns<{
  [N in Name]-?: undefined extends Output[N] ? Exclude<Output[N], undefined> | null : Output[N];
}>[Name & string];

export const isColumnsSchema = (schema: SourceSchema): schema is ColumnsSchema<Columns> =>
  "schema" in schema && schema["~standard"].vendor === "tidemark";

/**
 * The engine's schema of a source. A foreign one gives json columns, with their names if it can emit JSON Schema;
 * otherwise an open schema, whose names are checked as rows come.
 */
export function engineSchema(schema: SourceSchema): Schema {
  if (isColumnsSchema(schema)) return schema.schema;
  const names = propertyNames(schema);
  if (names === null) return makeSchema([], true);
  return makeSchema(names.map((name) => ({ name, type: "json", nullable: true })));
}

function propertyNames(schema: SourceSchema): readonly string[] | null {
  const converter = (schema as unknown as Partial<StandardJSONSchemaV1>)["~standard"]?.jsonSchema;
  if (converter === undefined) return null;
  for (const convert of [converter.output, converter.input]) {
    try {
      const properties = convert({ target: "draft-2020-12" })["properties"];
      if (typeof properties === "object" && properties !== null) return Object.keys(properties);
    } catch {
      // What has no JSON Schema (a Date, a transform) may still have one of its input.
    }
  }
  return null;
}
