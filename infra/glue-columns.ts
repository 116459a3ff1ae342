import type * as glue from "aws-cdk-lib/aws-glue";
import { userError } from "../lib/errors.js";
import type { DataType, Field, Schema } from "../lib/plan/schema.js";

/** `text`: times of JSON lines stand as ISO 8601 text, which `from_iso8601_timestamp()` reads. `native`: as timestamps. */
type Times = "text" | "native";

/** Columns as Hive types. @throws `catalog-columns` for names that differ in case alone, which Glue takes for one */
export function glueColumns({ fields, open }: Schema, times: Times): readonly glue.CfnTable.ColumnProperty[] {
  const names = fields.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (open === true || twice !== undefined)
    throw userError(
      "catalog-columns",
      twice === undefined
        ? "The query's columns are not known beforehand, and a catalog table has fixed ones."
        : `Two columns are named '${twice}' but for their case, and a catalog table has one.`,
      "End the query with select(), or leave the catalog out.",
    );
  return fields.map(({ name, type }) => ({ name: name.toLowerCase(), type: hiveType(type, times) }));
}

function hiveType(type: DataType, times: Times): string {
  if (typeof type === "object")
    return "array" in type ? `array<${hiveType(type.array, times)}>` : structType(type.struct, times);
  switch (type) {
    case "long":
      return "bigint";
    case "timestamp":
    case "timestamp_ntz":
      return times === "text" ? "string" : "timestamp";
    case "window":
      return structType(WINDOW, times);
    case "json":
      return "string";
    case "string":
    case "int":
    case "double":
    case "boolean":
      return type;
  }
}

const structType = (fields: readonly Field[], times: Times): string =>
  `struct<${fields.map(({ name, type }) => `${name.toLowerCase()}:${hiveType(type, times)}`).join(",")}>`;

const WINDOW: readonly Field[] = [
  { name: "start", type: "timestamp", nullable: false },
  { name: "end", type: "timestamp", nullable: false },
];
