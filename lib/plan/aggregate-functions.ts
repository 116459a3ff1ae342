import { isNumeric } from "./data-type.js";
import type { DataType } from "./schema.js";

/** What there is to know of an aggregate before it runs: from its row here follow types, refusals, warnings and the table of docs/verbs/agg.md. */
interface AggregateRule {
  /** As one writes it. */
  readonly call: string;
  readonly takes: keyof typeof TAKES;
  readonly gives: keyof typeof GIVES;
  /** The result of a group that has no value: NULL makes the column nullable. */
  readonly ofNone: "NULL" | "0" | "[]";
  /** What a group keeps. */
  readonly keeps: string;
  readonly says: string;
}

const CONSTANT = "a value";

export const AGGREGATES = {
  count: {
    call: "count(), count(value)",
    takes: "any value, or none",
    gives: "long",
    ofNone: "0",
    keeps: "a number",
    says: "the rows; with an argument, those in which it is not NULL",
  },
  sum: {
    call: "sum(value)",
    takes: "numbers",
    gives: "sum",
    ofNone: "NULL",
    keeps: "a number",
    says: "exact for whole numbers",
  },
  avg: { call: "avg(value)", takes: "numbers", gives: "double", ofNone: "NULL", keeps: "sum, count", says: "the mean" },
  min: {
    call: "min(value)",
    takes: "what can be ordered",
    gives: "same",
    ofNone: "NULL",
    keeps: CONSTANT,
    says: "the lowest; text by its UTF-8 bytes",
  },
  max: {
    call: "max(value)",
    takes: "what can be ordered",
    gives: "same",
    ofNone: "NULL",
    keeps: CONSTANT,
    says: "the highest",
  },
  first: {
    call: "first(value, { ignoreNulls })",
    takes: "any value",
    gives: "same",
    ofNone: "NULL",
    keeps: CONSTANT,
    says: "of the row that came first, NULL unless ignored",
  },
  last: {
    call: "last(value, { ignoreNulls })",
    takes: "any value",
    gives: "same",
    ofNone: "NULL",
    keeps: CONSTANT,
    says: "of the row that came last",
  },
  stddev: {
    call: "stddev(value)",
    takes: "numbers",
    gives: "double",
    ofNone: "NULL",
    keeps: "three numbers",
    says: "of the sample (divisor n − 1); NULL of one value",
  },
  variance: {
    call: "variance(value)",
    takes: "numbers",
    gives: "double",
    ofNone: "NULL",
    keeps: "three numbers",
    says: "of the sample (divisor n − 1); NULL of one value",
  },
  collectList: {
    call: "collectList(value)",
    takes: "any value",
    gives: "list",
    ofNone: "[]",
    keeps: "every value",
    says: "in order of arrival",
  },
  collectSet: {
    call: "collectSet(value)",
    takes: "any value",
    gives: "list",
    ofNone: "[]",
    keeps: "every distinct value",
    says: "each value once, in order of first arrival",
  },
  minBy: {
    call: "minBy(value, by)",
    takes: "any value",
    gives: "same",
    ofNone: "NULL",
    keeps: "two values",
    says: "the value in the row with the lowest `by`, of equals the last",
  },
  maxBy: {
    call: "maxBy(value, by)",
    takes: "any value",
    gives: "same",
    ofNone: "NULL",
    keeps: "two values",
    says: "the value in the row with the highest `by`, of equals the last",
  },
  countDistinct: {
    call: "countDistinct(value)",
    takes: "any value",
    gives: "long",
    ofNone: "0",
    keeps: "every distinct value",
    says: "exact; warns `distinct-state`",
  },
  approxCountDistinct: {
    call: "approxCountDistinct(value, { precision })",
    takes: "any value",
    gives: "long",
    ofNone: "0",
    keeps: "at most 2^precision bytes",
    says: "HyperLogLog: exact below 256, then within 1.6 % at precision 12",
  },
  approxPercentile: {
    call: "approxPercentile(value, percentile, { accuracy })",
    takes: "numbers",
    gives: "double",
    ofNone: "NULL",
    keeps: "a sketch",
    says: "DDSketch: within 1 % of the value, unless told otherwise; at most 4,096 bins",
  },
  bitAnd: {
    call: "bitAnd(value)",
    takes: "whole numbers",
    gives: "same",
    ofNone: "NULL",
    keeps: "a number",
    says: "the bits that all values have",
  },
  user: {
    call: "userAggregate(value, functions, type)",
    takes: "any value, or none",
    gives: "declared",
    ofNone: "NULL",
    keeps: "what you keep",
    says: "your own `init`, `add`, `merge`, `finish`; it sees NULL too",
  },
} as const satisfies Readonly<Record<string, AggregateRule>>;

export type AggregateName = keyof typeof AGGREGATES;

/** How the type of an aggregate follows from that of its argument. */
export type ResultRule<Name extends AggregateName> = (typeof AGGREGATES)[Name]["gives"];

const anything = () => true;

/** By what an aggregate takes: whether a type is such, and what to do about one that is not. `json` holds what it holds, and may be a number. */
export const TAKES = {
  "any value": { accepts: anything, remedy: "Give the aggregate a column." },
  "any value, or none": { accepts: anything, remedy: "" },
  "what can be ordered": {
    accepts: (type: DataType) => typeof type === "string",
    remedy: "Give the aggregate a column of a type that it takes.",
  },
  numbers: {
    accepts: (type: DataType) => type === "json" || isNumeric(type),
    remedy: "It takes numbers: declare the column as long() or double(), or cast() it.",
  },
  "whole numbers": {
    accepts: (type: DataType) => type === "int" || type === "long",
    remedy: "It takes whole numbers: declare the column as long(), or cast() it.",
  },
} as const;

/** By what an aggregate gives: the type of the result, given that of the argument, and how the docs say it. */
export const GIVES = {
  long: { typeOf: (): DataType => "long", text: "`long`" },
  double: { typeOf: (): DataType => "double", text: "`double`" },
  same: { typeOf: (value: DataType): DataType => value, text: "as the argument" },
  sum: {
    typeOf: (value: DataType): DataType => (value === "int" ? "long" : value),
    text: "`long`; of a double `double`",
  },
  list: { typeOf: (value: DataType): DataType => ({ array: value }), text: "array" },
  declared: { typeOf: (_: DataType, declared?: DataType): DataType => declared ?? "json", text: "as declared" },
} as const;
