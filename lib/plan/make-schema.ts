import { userError } from "../errors.js";
import type { Field, Schema } from "./schema.js";

/** Names that reach an object's prototype: a row keyed by them would not be a plain object any more. */
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype", ""]);

/**
 * A frozen schema.
 * @throws `column-name` for a name that no row may have, `duplicate-column` for a name that stands twice
 */
export function makeSchema(fields: readonly Field[], open = false): Schema {
  const seen = new Set<string>();
  for (const { name } of fields) {
    if (FORBIDDEN.has(name)) {
      throw userError("column-name", `A column cannot be named '${name}'.`, "Rename the column where it is declared.");
    }
    if (seen.has(name)) {
      throw userError(
        "duplicate-column",
        `Two columns are named '${name}'.`,
        "Rename one of them, before a join with rename().",
      );
    }
    seen.add(name);
  }
  const frozen = Object.freeze(fields.map((field) => Object.freeze({ ...field })));
  return Object.freeze(open ? { fields: frozen, open } : { fields: frozen });
}

export const nullableFields = (schema: Schema): readonly Field[] =>
  schema.fields.map((field) => ({ ...field, nullable: true }));
