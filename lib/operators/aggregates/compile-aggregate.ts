import type { AggregateSpec } from "../../plan/logical-plan.js";
import { resolveExpression } from "../../plan/resolve.js";
import type { DataType, Schema } from "../../plan/schema.js";
import { compileExpression, type Evaluator } from "../evaluate/evaluate.js";
import type { AggregateFunction } from "./aggregate-function.js";
import { approxCountDistinctAggregate } from "./approx-count-distinct.js";
import { approxPercentileAggregate } from "./approx-percentile.js";
import { avgAggregate } from "./avg.js";
import { collectListAggregate, distinctAggregate } from "./collect.js";
import { countAggregate } from "./count.js";
import { extremeAggregate } from "./extreme.js";
import { extremeByAggregate } from "./extreme-by.js";
import { firstAggregate, lastAggregate } from "./first-last.js";
import { identity, varianceAggregate } from "./moments.js";
import { sumAggregate } from "./sum.js";
import { customAggregate, requireUserAggregate } from "./user-aggregate.js";

export type UserFunctions = Readonly<Record<string, unknown>>;

export function compileAggregate(spec: AggregateSpec, schema: Schema, functions: UserFunctions): AggregateFunction {
  const value = spec.value === undefined ? null : compileExpression(spec.value, schema);
  if (spec.fn === "count") return countAggregate(value);
  if (spec.fn === "user") {
    const name = String(spec.options?.["function"]);
    return customAggregate(value, requireUserAggregate(spec.as, functions[name]));
  }
  const type = spec.value === undefined ? "json" : resolveExpression(spec.value, schema).type;
  return ofValue(spec, value ?? (() => null), type, schema);
}

function ofValue(spec: AggregateSpec, value: Evaluator, type: DataType, schema: Schema): AggregateFunction {
  const by = (): Evaluator => (spec.by === undefined ? value : compileExpression(spec.by, schema));
  const ignoreNulls = spec.ignoreNulls === true;
  switch (spec.fn) {
    case "sum":
      return sumAggregate(value, type);
    case "avg":
      return avgAggregate(value);
    case "min":
      return extremeAggregate(value, -1);
    case "max":
      return extremeAggregate(value, 1);
    case "first":
      return firstAggregate(value, ignoreNulls);
    case "last":
      return lastAggregate(value, ignoreNulls);
    case "stddev":
      return varianceAggregate(value, Math.sqrt);
    case "variance":
      return varianceAggregate(value, identity);
    case "collectList":
      return collectListAggregate(value);
    case "collectSet":
      return distinctAggregate(value, type, (values) => values);
    case "countDistinct":
      return distinctAggregate(value, type, (values) => values.length);
    case "minBy":
      return extremeByAggregate(value, by(), -1);
    case "maxBy":
      return extremeByAggregate(value, by(), 1);
    case "approxCountDistinct":
      return approxCountDistinctAggregate(value, type, spec.options);
    case "approxPercentile":
      return approxPercentileAggregate(value, spec.options);
    case "count":
    case "user":
      return countAggregate(value);
  }
}
