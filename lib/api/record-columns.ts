import { userError } from "../errors.js";
import type { MetadataColumns, MetadataName } from "../plan/connectors/source-connector.js";
import { makeSchema } from "../plan/make-schema.js";
import { METADATA } from "../sources/record-metadata.js";
import type { ColumnType, JsonColumn, LongColumn, StringColumn, TimestampColumn } from "./column-type.js";
import type { ColumnsSchema } from "./columns.js";
import { isColumnsSchema, type SourceSchema } from "./source-schema.js";

type TypeOfMetadata<Name extends MetadataName> = Name extends "arrival" | "timestamp"
  ? TimestampColumn
  : Name extends "offset"
    ? LongColumn
    : Name extends "partition"
      ? ColumnType<"int", number | null>
      : Name extends "headers"
        ? JsonColumn<Readonly<Record<string, string | null>>>
        : StringColumn;

/** A source's schema with the columns of its records' metadata. */
export type WithMetadata<Schema extends SourceSchema, M extends MetadataColumns> = [keyof M] extends [never]
  ? Schema
  : Schema extends ColumnsSchema<infer S>
    ? ColumnsSchema<S & { readonly [Name in keyof M & string]: TypeOfMetadata<M[Name]> }>
    : never;

/** @throws `option-invalid` for a name that is none, or beside a schema that is not `columns()`; `duplicate-column` */
export function withMetadataColumns<Schema extends SourceSchema, M extends MetadataColumns>(
  schema: Schema,
  metadata: M | undefined,
): WithMetadata<Schema, M> {
  if (metadata === undefined || schema === undefined) return schema as WithMetadata<Schema, M>;
  if (!isColumnsSchema(schema))
    throw invalid(metadata, "Declare the columns with columns(): another schema makes its own rows.");
  const added = Object.entries(metadata).map(([name, of]) => {
    if (!Object.hasOwn(METADATA, of)) throw invalid(metadata, `Give one of ${Object.keys(METADATA).join(", ")}.`);
    return { name, type: METADATA[of].type, nullable: true };
  });
  const whole = makeSchema([...schema.schema.fields, ...added]);
  return Object.freeze({ ...schema, schema: whole }) as unknown as WithMetadata<Schema, M>;
}

const invalid = (value: unknown, remedy: string) =>
  userError("option-invalid", `The option metadata cannot be ${JSON.stringify(value)}.`, remedy);
