import type { DataType, Field, Schema } from "../../plan/schema.js";

const FIELD_PARTS = new Set(["name", "type", "nullable", "reading"]);

/** Whether the scanner knows all that a schema says: a part of a field that it has not heard of may change how values are read. */
export const isScannable = (schema: Schema): boolean =>
  schema.open !== true && Object.keys(schema).length === 1 && schema.fields.every(isPlainField);

const isPlainField = (field: Field): boolean =>
  Object.keys(field).every((part) => FIELD_PARTS.has(part)) &&
  field.name !== "__proto__" &&
  !/\p{Surrogate}/u.test(field.name) &&
  isPlainType(field.type);

const isPlainType = (type: DataType): boolean => {
  if (typeof type === "string") return true;
  if (Object.keys(type).length !== 1) return false;
  return "array" in type ? isPlainType(type.array) : type.struct.every(isPlainField);
};
