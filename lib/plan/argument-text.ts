import { typeText } from "./data-type.js";
import type { Expression } from "./expression.js";
import type { DataType } from "./schema.js";

/** An argument as a refusal names it: what the user wrote, where that is short, and its type: `page: string`, `5: int`. */
export function argumentText(argument: Expression, type: DataType): string {
  const written = writtenText(argument);
  return written === undefined ? typeText(type) : `${written}: ${typeText(type)}`;
}

function writtenText(argument: Expression): string | undefined {
  if (argument.kind === "column") return [argument.name, ...(argument.path ?? [])].join(".");
  if (argument.kind !== "literal") return undefined;
  return typeof argument.value === "string" ? `'${argument.value}'` : String(argument.value);
}
