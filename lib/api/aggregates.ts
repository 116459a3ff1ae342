import type { AGGREGATES, AggregateName, ResultRule } from "../plan/aggregate-functions.js";
import type { AggregateInput } from "../plan/nodes/nodes.js";
import type { DataType } from "../plan/schema.js";
import type { ColumnType, DoubleColumn, JsonColumn, LongColumn, TagOf, ValueOf } from "./column-type.js";
import { col, type Expr, type ExprOver, toExpression } from "./expr.js";
import type { TypeOf } from "./expr-type.js";
import { functionId } from "./function-ids.js";
import type { StreamTypeError } from "./type-errors.js";

/** How the type of an aggregate follows from that of its argument: by its row of the table, or declared. */
type Shape = ResultRule<AggregateName> | ColumnType;
type Takes = (typeof AGGREGATES)[AggregateName]["takes"];

/** An aggregate, to be named in `agg({ … })`. */
export interface Aggregate<
  S extends Shape = Shape,
  Tree = unknown,
  Names extends string = string,
  Taken extends Takes = Takes,
> {
  readonly input: Omit<AggregateInput, "as">;
  readonly functions: Readonly<Record<string, unknown>>;
  /** Only for the compiler: never set. */
  readonly shape?: S;
  readonly tree?: Tree;
  readonly names?: Names;
  readonly takes?: Taken;
}

/** A column by its name, or an expression over columns. */
type Argument = string | ExprOver<string>;
type TreeIn<A> = A extends string ? { readonly column: A } : A extends Expr<infer Tree, string> ? Tree : never;
type NamesIn<A> = A extends string ? A : A extends Expr<unknown, infer Names> ? Names : never;
type Of<Fn extends AggregateName, A, B = never> = Aggregate<
  ResultRule<Fn>,
  TreeIn<A>,
  NamesIn<A> | NamesIn<B>,
  (typeof AGGREGATES)[Fn]["takes"]
>;

/** The column that an aggregate makes over rows of `S`. */
export type AggregateColumn<A, S> =
  A extends Aggregate<infer Shaped, infer Tree, string> ? ShapeOf<Shaped, TypeOf<Tree, S>> : never;

type ShapeOf<Shaped extends Shape, C> = Shaped extends ColumnType
  ? Shaped
  : Shaped extends "long"
    ? ColumnType<"long", number>
    : Shaped extends "double"
      ? DoubleColumn
      : Shaped extends "sum"
        ? SumOf<C>
        : Shaped extends "list"
          ? ColumnType<"array", readonly NonNullable<ValueOf<C>>[]>
          : ColumnType<TagOf<C>, ValueOf<C> | null>;

/** Columns that no sum or mean is of. A json column may hold numbers. */
type NoNumber = "string" | "boolean" | "timestamp" | "timestamp_ntz" | "array" | "struct" | "window";

/**
 * What an aggregate must be besides, over rows of `S`: nothing, or an error where it needs numbers and its column is known to hold
 * none. A union of types, of which one is a number, is left to the check when the query is built.
 */
export type NumericOver<A, S> =
  A extends Aggregate<Shape, infer Tree, string, infer Taken>
    ? [Taken] extends ["numbers"]
      ? RefusedIf<TagOf<TypeOf<Tree, S>>, NoNumber, "number: declare the column as long() or double(), or cast() it">
      : [Taken] extends ["whole numbers"]
        ? RefusedIf<
            TagOf<TypeOf<Tree, S>>,
            NoNumber | "double" | "json",
            "whole number: declare the column as long(), or cast() it"
          >
        : unknown
    : unknown;

type RefusedIf<Tag extends string, Refused extends string, Wanted extends string> = [Tag] extends [never]
  ? unknown
  : [Tag] extends [Refused]
    ? StreamTypeError<`${Tag} is no ${Wanted}`>
    : unknown;

type SumOf<C> =
  TagOf<C> extends "long" | "int" ? LongColumn : TagOf<C> extends "json" ? JsonColumn<number | null> : DoubleColumn;

const expressionOf = (argument: Argument) => toExpression(typeof argument === "string" ? col(argument) : argument);

const NO_FUNCTIONS = Object.freeze({});

function aggregate<const Fn extends AggregateName, A extends Argument>(
  fn: Fn,
  value: A | undefined,
  more: Partial<AggregateInput> = {},
): Of<Fn, A> {
  const input = { fn, ...(value === undefined ? {} : { value: expressionOf(value) }), ...more };
  return Object.freeze({ input: Object.freeze(input), functions: NO_FUNCTIONS });
}

/**
 * A long: the rows of the group; with an argument, the rows in which it is not NULL. Never NULL.
 * @example agg({ views: count(), withReferrer: count("referrer") })
 */
export function count(): Aggregate<"long", unknown, never, "any value, or none">;
export function count<const A extends Argument>(value: A): Of<"count", A>;
export function count(value?: Argument): Aggregate {
  return aggregate("count", value);
}

/**
 * NULL values are skipped; NULL if there is none. Whole numbers are summed exactly, beyond 2^53 as bigint, and past 2^63 the
 * batch fails (`sum-overflow`); doubles are folded in order of arrival, so that the cut of batches never shows.
 * @example agg({ dwellMs: sum("durationMs"), bytes: sum(col("size").times(8)) })
 */
export const sum = <const A extends Argument>(value: A): Of<"sum", A> => aggregate("sum", value);
/** The mean of the values but NULL, a double; NULL if there is none. @example agg({ meanMs: avg("durationMs") }) */
export const avg = <const A extends Argument>(value: A): Of<"avg", A> => aggregate("avg", value);
/** The lowest value but NULL, in the argument's type; NULL if there is none. Text compares by its UTF-8 bytes, as in Spark. @example agg({ first: min("eventTime") }) */
export const min = <const A extends Argument>(value: A): Of<"min", A> => aggregate("min", value);
/** The highest value but NULL, by the rules of `min`. @example agg({ longestMs: max("durationMs") }) */
export const max = <const A extends Argument>(value: A): Of<"max", A> => aggregate("max", value);
/** The standard deviation of the sample (divisor n − 1), a double; NULL of fewer than two values. @example agg({ spread: stddev("durationMs") }) */
export const stddev = <const A extends Argument>(value: A): Of<"stddev", A> => aggregate("stddev", value);
/** The variance of the sample (divisor n − 1), a double; NULL of fewer than two values. @example agg({ spread: variance("durationMs") }) */
export const variance = <const A extends Argument>(value: A): Of<"variance", A> => aggregate("variance", value);

/** Options of `first` and `last`. */
export interface FirstLastOptions {
  /** Pass over NULL, which counts as a value otherwise. */
  readonly ignoreNulls?: boolean;
}

const nulls = ({ ignoreNulls }: FirstLastOptions) => (ignoreNulls === true ? { ignoreNulls } : {});

/** The value of the group's first row, in order of arrival; in a merged session, by session start. NULL counts, unless ignored. @example agg({ landing: first("page") }) */
export const first = <const A extends Argument>(value: A, options: FirstLastOptions = {}): Of<"first", A> =>
  aggregate("first", value, nulls(options));
/** The value of the group's last row, by the order of `first`. @example agg({ exit: last("page", { ignoreNulls: true }) }) */
export const last = <const A extends Argument>(value: A, options: FirstLastOptions = {}): Of<"last", A> =>
  aggregate("last", value, nulls(options));

/** An array of every value but NULL, in order of arrival; empty if there is none. The state grows with every row. @example agg({ pages: collectList("page") }) */
export const collectList = <const A extends Argument>(value: A): Of<"collectList", A> =>
  aggregate("collectList", value);
/** An array of every distinct value but NULL, in order of first arrival. The state grows with every new value. @example agg({ users: collectSet("userId") }) */
export const collectSet = <const A extends Argument>(value: A): Of<"collectSet", A> => aggregate("collectSet", value);

/** The value in the row with the lowest `by`, of equals the last; NULL if that row has none. Rows whose `by` is NULL do not count. @example agg({ fastest: minBy("page", "durationMs") }) */
export const minBy = <const A extends Argument, const B extends Argument>(value: A, by: B): Of<"minBy", A, B> =>
  aggregate("minBy", value, { by: expressionOf(by) });
/** The value in the row with the highest `by`, by the rules of `minBy`. @example agg({ slowest: maxBy("page", "durationMs") }) */
export const maxBy = <const A extends Argument, const B extends Argument>(value: A, by: B): Of<"maxBy", A, B> =>
  aggregate("maxBy", value, { by: expressionOf(by) });

/**
 * How many distinct values but NULL, exactly, which Spark refuses on streams: every one stays in the group's state (SEMANTICS 0.11),
 * and the query has the warning `distinct-state`.
 * @example agg({ users: countDistinct("userId") })
 */
export const countDistinct = <const A extends Argument>(value: A): Of<"countDistinct", A> =>
  aggregate("countDistinct", value);

/** The bits that all values but NULL have, in two's complement of 64 bits, for whole numbers alone; NULL if there is none. @example agg({ flags: bitAnd("permissions") }) */
export const bitAnd = <const A extends Argument>(value: A): Of<"bitAnd", A> => aggregate("bitAnd", value);

/** Options of `approxCountDistinct`. */
export interface ApproxCountDistinctOptions {
  /** 2^precision registers of a HyperLogLog, a byte each: 4 to 16, 12 by default. The error is 1.04 / √(2^precision), 1.6 % at 12. */
  readonly precision?: number;
}

/**
 * About how many distinct values but NULL, by HyperLogLog: exact below 256, then in constant space.
 * @example agg({ users: approxCountDistinct("userId", { precision: 14 }) })
 * @throws `sketch-precision` when the query is planned
 */
export const approxCountDistinct = <const A extends Argument>(
  value: A,
  { precision }: ApproxCountDistinctOptions = {},
): Of<"approxCountDistinct", A> =>
  aggregate("approxCountDistinct", value, precision === undefined ? {} : { options: { precision } });

/** Options of `approxPercentile`. */
export interface ApproxPercentileOptions {
  /** Relative error of the answer, between 0 and 1: 0.01 by default. */
  readonly accuracy?: number;
}

/**
 * By DDSketch: the value below which a share of `percentile` (0 to 1) of the values lies, within a relative error; NULL if there is none.
 * @example agg({ p99: approxPercentile("durationMs", 0.99) })
 * @throws `percentile-range` when the query is planned
 */
export const approxPercentile = <const A extends Argument>(
  value: A,
  percentile: number,
  { accuracy }: ApproxPercentileOptions = {},
): Of<"approxPercentile", A> =>
  aggregate("approxPercentile", value, {
    options: { percentile, ...(accuracy === undefined ? {} : { accuracy }) },
  });

/** An aggregate of your own. Its functions must be pure; its state must be plain data (DATA.md section 6). */
export interface UserAggregate<In, State, Out> {
  /** The state of a group without rows. */
  readonly init: () => State;
  /** The state with one value more. It may be changed in place and returned. */
  readonly add: (state: State, value: In) => State;
  /** Two groups as one: needed under session windows, which merge. */
  readonly merge: (a: State, b: State) => State;
  readonly finish: (state: State) => Out;
}

/**
 * Aggregates the values of a column, or of an expression, with functions of your own.
 * @example agg({ longest: userAggregate("page", { init: () => "", add: (a, b) => (b.length > a.length ? b : a), merge: …, finish: (a) => a }) })
 */
export function userAggregate<const A extends Argument, In, State, Out>(
  value: A,
  functions: UserAggregate<In, State, Out>,
  type: DataType = "json",
): Aggregate<JsonColumn<Out>, TreeIn<A>, NamesIn<A>> {
  const id = functionId("aggregate", functions);
  const input = { fn: "user" as const, value: expressionOf(value), options: Object.freeze({ function: id }), type };
  return Object.freeze({ input: Object.freeze(input), functions: Object.freeze({ [id]: functions }) });
}
