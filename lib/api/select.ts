import type { ProjectionInput } from "../plan/nodes/nodes.js";
import { requireField } from "../plan/resolve.js";
import type { Schema } from "../plan/schema.js";
import { type ExprOver, toExpression } from "./expr.js";

/** A column as it is; with a schema, checked to be there. @throws `unknown-column` */
export function columnRef(
  name: string,
  schema?: Schema,
): ProjectionInput & { readonly value: { readonly kind: "column"; readonly name: string } } {
  if (schema !== undefined) requireField(schema, name);
  return { name, value: { kind: "column", name } };
}

/** Names, and objects of new name to name or expression, as columns of a projection. */
export const selectionColumns = (
  items: readonly (string | Readonly<Record<string, string | ExprOver<string>>>)[],
): readonly ProjectionInput[] =>
  items.flatMap((item) =>
    typeof item === "string"
      ? [columnRef(item)]
      : Object.entries(item).map(([name, value]) =>
          typeof value === "string" ? { ...columnRef(value), name } : { name, value: toExpression(value) },
        ),
  );
