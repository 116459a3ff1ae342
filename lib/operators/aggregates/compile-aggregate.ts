import type { AggregateName } from "../../plan/aggregate-functions.js";
import type { Expression } from "../../plan/expression.js";
import type { AggregateSpec } from "../../plan/logical-plan.js";
import { resolveExpression } from "../../plan/resolve.js";
import type { DataType, Schema } from "../../plan/schema.js";
import { compileReader, type Reader } from "../evaluate/reader.js";
import type { AggregateFunction } from "./aggregate-function.js";
import { approxCountDistinctAggregate } from "./approx-count-distinct.js";
import { approxPercentileAggregate } from "./approx-percentile.js";
import { avgAggregate } from "./avg.js";
import { bitAndAggregate } from "./bit-and.js";
import { collectListAggregate, distinctAggregate } from "./collect.js";
import { countAggregate } from "./count.js";
import { extremeAggregate } from "./extreme.js";
import { extremeByAggregate } from "./extreme-by.js";
import { firstAggregate, lastAggregate } from "./first-last.js";
import { identity, varianceAggregate } from "./moments.js";
import { sumAggregate } from "./sum.js";
import { customAggregate, requireUserAggregate } from "./user-aggregate.js";

const NULLS: Reader = () => () => null;

export type UserFunctions = Readonly<Record<string, unknown>>;

/** What an aggregate is made of: its argument, NULL where it has none, and the expression that it is ordered by. */
interface Arguments {
  readonly value: Reader;
  readonly type: DataType;
  readonly by: () => Reader;
  readonly spec: AggregateSpec;
  readonly functions: UserFunctions;
}

const COMPILERS: Readonly<Record<AggregateName, (given: Arguments) => AggregateFunction>> = {
  count: ({ value, spec }) => countAggregate(spec.value === undefined ? null : value),
  sum: ({ value, type }) => sumAggregate(value, type),
  avg: ({ value }) => avgAggregate(value),
  min: ({ value }) => extremeAggregate(value, -1),
  max: ({ value }) => extremeAggregate(value, 1),
  first: ({ value, spec }) => firstAggregate(value, spec.ignoreNulls === true),
  last: ({ value, spec }) => lastAggregate(value, spec.ignoreNulls === true),
  stddev: ({ value }) => varianceAggregate(value, Math.sqrt),
  variance: ({ value }) => varianceAggregate(value, identity),
  collectList: ({ value }) => collectListAggregate(value),
  collectSet: ({ value, type }) => distinctAggregate(value, type, (values) => values),
  minBy: ({ value, by }) => extremeByAggregate(value, by(), -1),
  maxBy: ({ value, by }) => extremeByAggregate(value, by(), 1),
  countDistinct: ({ value, type }) => distinctAggregate(value, type, (values) => values.length),
  approxCountDistinct: ({ value, type, spec }) => approxCountDistinctAggregate(value, type, spec.options),
  approxPercentile: ({ value, spec }) => approxPercentileAggregate(value, spec.options),
  bitAnd: ({ value }) => bitAndAggregate(value),
  user: ({ value, spec, functions }) => {
    const parts = requireUserAggregate(spec.as, functions[String(spec.options?.["function"])]);
    return customAggregate(spec.value === undefined ? null : value, parts);
  },
};

export function compileAggregate(spec: AggregateSpec, schema: Schema, functions: UserFunctions): AggregateFunction {
  const reader = (expression: Expression | undefined): Reader =>
    expression === undefined ? NULLS : compileReader(expression, schema);
  return COMPILERS[spec.fn]({
    value: reader(spec.value),
    type: spec.value === undefined ? "json" : resolveExpression(spec.value, schema).type,
    by: () => reader(spec.by ?? spec.value),
    spec,
    functions,
  });
}
