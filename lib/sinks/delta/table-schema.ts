import { userError } from "../../errors.js";
import type { DataType, Field, Schema } from "../../plan/schema.js";
import { WINDOW_FIELDS } from "../parquet-schema.js";

/** Delta protocol, "Schema Serialization Format". */
interface DeltaField {
  readonly name: string;
  readonly type: DeltaType;
  readonly nullable: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}
interface DeltaStruct {
  readonly type: "struct";
  readonly fields: readonly DeltaField[];
}
type DeltaType =
  | string
  | DeltaStruct
  | { readonly type: "array"; readonly elementType: DeltaType; readonly containsNull: boolean };

const NAMES: Readonly<Record<Exclude<DataType, object | "window">, string>> = {
  string: "string",
  json: "string",
  long: "long",
  int: "integer",
  double: "double",
  boolean: "boolean",
  timestamp: "timestamp",
  timestamp_ntz: "timestamp_ntz",
};

function deltaType(type: DataType): DeltaType {
  if (type === "window") return struct(WINDOW_FIELDS);
  if (typeof type === "string") return NAMES[type];
  if ("array" in type) return { type: "array", elementType: deltaType(type.array), containsNull: true };
  return struct(type.struct);
}

/** Every column may be null, as in the Parquet files. */
function struct(fields: readonly Field[]): DeltaStruct {
  return {
    type: "struct",
    fields: fields.map(({ name, type }) => ({ name, type: deltaType(type), nullable: true, metadata: {} })),
  };
}

export const schemaString = ({ fields }: Schema): string => JSON.stringify(struct(fields));

export const hasLocalTimes = (schemaText: string): boolean => schemaText.includes('"timestamp_ntz"');

/** Column names that Parquet readers of Delta tables do not take without column mapping. */
const UNFIT_NAME = /[ ,;{}()\n\t=]/;

/** @throws `sink-column` */
export function requireDeltaNames({ fields }: Schema): void {
  const names = fields.map(({ name }) => name);
  const unfit = names.find((name) => UNFIT_NAME.test(name));
  const twice = names.find((name, at) => names.findIndex((other) => sameName(other, name)) !== at);
  if (unfit === undefined && twice === undefined) return;
  throw userError(
    "sink-column",
    `A Delta table has no column '${unfit ?? twice}'${unfit === undefined ? " beside one that differs in case alone" : ""}.`,
    "Rename the column.",
  );
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * The table's schema after rows of `wanted` are written: the same text, or the table's with the new columns behind it.
 * @throws `delta-schema` where a column has another type, or the table wants a column that the rows lack, or new columns are not allowed
 */
export function evolvedSchema(table: string, wanted: string, mergeSchema: boolean): string {
  const [old, rows] = [JSON.parse(table) as DeltaStruct, JSON.parse(wanted) as DeltaStruct];
  const added: DeltaField[] = [];
  for (const field of rows.fields) {
    const stands = old.fields.find(({ name }) => sameName(name, field.name));
    if (stands === undefined) added.push(field);
    else if (stands.name !== field.name || shape(stands.type) !== shape(field.type))
      throw mismatch(
        `its column '${stands.name}' is ${shape(stands.type)}, the query's '${field.name}' is ${shape(field.type)}`,
        "Cast or rename the column in the query, or write to a new table.",
      );
  }
  const missing = old.fields.find(
    ({ name, nullable }) => !nullable && !rows.fields.some((field) => field.name === name),
  );
  if (missing !== undefined)
    throw mismatch(`its column '${missing.name}' may not be null, and the query does not have it`, "Add the column.");
  if (added.length === 0) return table;
  if (!mergeSchema)
    throw mismatch(
      `it has no column '${added[0]!.name}'`,
      "Set mergeSchema: true to add the query's new columns, or drop them in the query.",
    );
  return JSON.stringify({ ...old, fields: [...old.fields, ...added] });
}

/** A type without what does not change how values are stored. */
function shape(type: DeltaType): string {
  if (typeof type === "string") return type;
  if (type.type === "array") return `array<${shape(type.elementType)}>`;
  return `struct<${type.fields.map(({ name, type: inner }) => `${name}: ${shape(inner)}`).join(", ")}>`;
}

/** The columns of a table as this version reads them. @throws `delta-schema` for a type that no query has */
export function schemaOfTable(text: string): Schema {
  return { fields: (JSON.parse(text) as DeltaStruct).fields.map(fieldOf) };
}

const fieldOf = ({ name, type }: DeltaField): Field => ({ name, type: dataType(type, name), nullable: true });

function dataType(type: DeltaType, name: string): DataType {
  if (typeof type === "object")
    return type.type === "array" ? { array: dataType(type.elementType, name) } : { struct: type.fields.map(fieldOf) };
  const known = Object.entries(NAMES).find(([own, stored]) => stored === type && own !== "json")?.[0];
  if (known !== undefined) return known as DataType;
  throw mismatch(`its column '${name}' is ${type}`, "Write to a table without such a column.");
}

/** Whether a table keeps rules in its schema that a writer would have to enforce. */
export const hasColumnRules = (text: string): boolean =>
  (JSON.parse(text) as DeltaStruct).fields.some(({ metadata }) =>
    Object.keys(metadata).some((name) => /^delta\.(invariants|generationExpression|identity|columnMapping)/.test(name)),
  );

const mismatch = (what: string, remedy: string) =>
  userError("delta-schema", `The Delta table and the query do not fit: ${what}.`, remedy);
