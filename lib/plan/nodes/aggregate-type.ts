import { userError } from "../../errors.js";
import { AGGREGATES, GIVES, TAKES } from "../aggregate-functions.js";
import { argumentText } from "../argument-text.js";
import type { AggregateSpec } from "../logical-plan.js";
import { resolveExpression } from "../resolve.js";
import type { Schema } from "../schema.js";
import type { AggregateInput } from "./aggregate-node.js";

/** @throws `type-mismatch`, `unknown-column` */
export function resolveAggregate(
  input: AggregateInput,
  schema: Schema,
): { readonly spec: AggregateSpec; readonly nullable: boolean } {
  const value = input.value === undefined ? undefined : resolveExpression(input.value, schema);
  if (input.by !== undefined) resolveExpression(input.by, schema);
  const rule = AGGREGATES[input.fn];
  const takes = TAKES[rule.takes];
  if (value === undefined ? rule.takes !== "any value, or none" : !takes.accepts(value.type)) {
    throw userError(
      "type-mismatch",
      `${input.fn}(${value === undefined ? "" : argumentText(input.value!, value.type)}) has no meaning.`,
      takes.remedy,
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
    type: GIVES[rule.gives].typeOf(value?.type ?? "json", input.type),
  });
  return { spec, nullable: rule.ofNone === "NULL" };
}
