import { userError } from "../../errors.js";
import { argumentText } from "../argument-text.js";
import { isNumeric } from "../data-type.js";
import type { AggregateSpec } from "../logical-plan.js";
import { resolveExpression } from "../resolve.js";
import type { DataType, Schema } from "../schema.js";
import type { AggregateInput } from "./aggregate-node.js";

/** The type of an aggregate over a value of `value` type (SEMANTICS C7); null: it takes no such value. */
function aggregateType(input: AggregateInput, value: DataType): DataType | null {
  const number = value === "json" || isNumeric(value);
  switch (input.fn) {
    case "count":
    case "countDistinct":
    case "approxCountDistinct":
      return "long";
    case "sum":
      return number ? (value === "int" ? "long" : value) : null;
    case "avg":
    case "stddev":
    case "variance":
    case "approxPercentile":
      return number ? "double" : null;
    case "min":
    case "max":
      return value === "boolean" || typeof value === "string" ? value : null;
    case "first":
    case "last":
    case "minBy":
    case "maxBy":
      return value;
    case "collectList":
    case "collectSet":
      return { array: value };
    case "user":
      return input.type ?? "json";
  }
}

const NUMERIC: ReadonlySet<string> = new Set(["sum", "avg", "stddev", "variance", "approxPercentile"]);

const COUNTS: ReadonlySet<string> = new Set([
  "count",
  "countDistinct",
  "approxCountDistinct",
  "collectList",
  "collectSet",
]);

/** @throws `type-mismatch`, `unknown-column` */
export function resolveAggregate(
  input: AggregateInput,
  schema: Schema,
): { readonly spec: AggregateSpec; readonly nullable: boolean } {
  const value = input.value === undefined ? undefined : resolveExpression(input.value, schema);
  if (input.by !== undefined) resolveExpression(input.by, schema);
  const needsValue = input.fn !== "count" && input.fn !== "user";
  const type = value === undefined && needsValue ? null : aggregateType(input, value?.type ?? "json");
  if (type === null) {
    throw userError(
      "type-mismatch",
      `${input.fn}(${value === undefined ? "" : argumentText(input.value!, value.type)}) has no meaning.`,
      NUMERIC.has(input.fn)
        ? "It takes numbers: declare the column as long() or double(), or cast() it."
        : "Give the aggregate a column of a type that it takes.",
    );
  }
  const { as, fn, value: expression, by, ignoreNulls, options } = input;
  const spec: AggregateSpec = Object.freeze({
    as,
    fn,
    ...(expression === undefined ? {} : { value: Object.freeze(expression) }),
    ...(by === undefined ? {} : { by: Object.freeze(by) }),
    ...(ignoreNulls === undefined ? {} : { ignoreNulls }),
    ...(options === undefined ? {} : { options: Object.freeze(options) }),
    type,
  });
  return { spec, nullable: !COUNTS.has(fn) };
}
