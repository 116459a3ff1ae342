import type { AggregateName } from "../../plan/aggregate-functions.js";
import type { Expression } from "../../plan/expression.js";
import type { AggregateSpec } from "../../plan/logical-plan.js";
import type { DataType, Row } from "../../plan/schema.js";
import { isIntegral } from "../integers.js";

/** A result to go back from, and the other aggregates of the query, which may hold the parts that it lacks. */
interface Restored {
  readonly spec: AggregateSpec;
  readonly row: Row;
  /** Of the aggregate's argument. */
  readonly type: DataType;
  /** The column in which this aggregate of the same argument stands, or of `by`; undefined: the query has none. */
  readonly part: (fn: AggregateName, of?: "value" | "by") => string | undefined;
}

/** Its sealed slots, or null where the result, with its parts, does not say what they were. */
type Restore = (given: Restored) => readonly unknown[] | null;

const itself: Restore = ({ spec, row }) => [row[spec.as] ?? null];

/** A group has a result because it had a row, and that one was first and last; unless NULLs are passed over. */
const placed: Restore = ({ spec, row }) => {
  const value = row[spec.as] ?? null;
  return [value, value !== null || spec.ignoreNulls !== true];
};

const extremeBy =
  (fn: "min" | "max"): Restore =>
  ({ spec, row, part }) => {
    const by = part(fn, "by");
    return by === undefined ? null : [row[spec.as] ?? null, row[by] ?? null];
  };

const lost: Restore = () => null;

/** The state of an aggregate from its result: what a group was before rows are added that came too late for it. */
const RESTORE: Readonly<Record<AggregateName, Restore>> = {
  count: itself,
  sum: ({ spec, row, type }) => {
    const sum = row[spec.as] ?? null;
    return type === "json" ? [sum, sum !== null && !isIntegral(sum)] : [sum];
  },
  avg: ({ row, part }) => {
    const [sum, count] = [part("sum"), part("count")];
    return sum === undefined || count === undefined ? null : [Number(row[sum] ?? 0), row[count]];
  },
  min: itself,
  max: itself,
  first: placed,
  last: placed,
  stddev: lost,
  variance: lost,
  collectList: itself,
  collectSet: itself,
  minBy: extremeBy("min"),
  maxBy: extremeBy("max"),
  countDistinct: ({ row, part }) => {
    const set = part("collectSet");
    return set === undefined ? null : [row[set]];
  },
  approxCountDistinct: lost,
  approxPercentile: lost,
  bitAnd: itself,
  user: lost,
};

/** Expressions are plain data, built the same way each time. */
const sameExpression = (a: Expression | undefined, b: Expression | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

const partOf =
  (specs: readonly AggregateSpec[], { value, by }: AggregateSpec): Restored["part"] =>
  (fn, of = "value") => {
    const argument = of === "value" ? value : by;
    return specs.find((spec) => spec.fn === fn && sameExpression(spec.value, argument))?.as;
  };

/** The sealed accumulator of a result row; null where one of the aggregates cannot be told from it. */
export function restoreAccumulator(
  specs: readonly AggregateSpec[],
  types: readonly DataType[],
  row: Row,
): readonly unknown[] | null {
  const slots: unknown[] = [];
  for (const [at, spec] of specs.entries()) {
    const own = RESTORE[spec.fn]({ spec, row, type: types[at]!, part: partOf(specs, spec) });
    if (own === null) return null;
    slots.push(...own);
  }
  return slots;
}

/** The names of aggregates whose state no result tells. */
export const unrestorable = (specs: readonly AggregateSpec[]): readonly string[] =>
  specs
    .filter((spec) => RESTORE[spec.fn]({ spec, row: {}, type: "long", part: partOf(specs, spec) }) === null)
    .map(({ as }) => as);
