import type { DataType } from "./schema.js";

export type FunctionName =
  | "eq"
  | "eqNullSafe"
  | "ne"
  | "lt"
  | "le"
  | "gt"
  | "ge"
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "mod"
  | "negate"
  | "abs"
  | "round"
  | "floor"
  | "ceil"
  | "and"
  | "or"
  | "not"
  | "isNull"
  | "isNotNull"
  | "coalesce"
  | "caseWhen"
  | "isIn"
  | "concat"
  | "upper"
  | "lower"
  | "trim"
  | "length"
  | "substring"
  | "contains"
  | "startsWith"
  | "endsWith"
  | "regexpLike"
  | "cast"
  | "dateTrunc"
  | "year"
  | "month"
  | "dayOfMonth"
  | "dayOfWeek"
  | "hour"
  | "minute"
  | "second"
  | "toTimestamp"
  | "tryToTimestamp"
  | "dateFormat"
  | "fromUnixtime"
  | "unixTimestamp"
  | "fromUtcTimestamp"
  | "toUtcTimestamp"
  | "timestampMicros"
  | "unixSeconds"
  | "unixMicros"
  | "timestampSeconds"
  | "timestampMillis"
  | "unixMillis"
  | "windowOf"
  | "windowTime";

/**
 * A value computed from one row (or, in a join's `on`, from one row of each side). Plain frozen data, JSON-able.
 * NULL follows SQL: three-valued and/or/not, any other function of NULL is NULL unless it says otherwise.
 */
export type Expression =
  /** `path` reaches into a window or struct: `{ name: "window", path: ["start"] }`. `side` only inside a join's `on`. */
  | {
      readonly kind: "column";
      readonly name: string;
      readonly path?: readonly string[];
      readonly side?: "left" | "right";
    }
  /** A long beyond 2^53 stands as its decimal string with type `long`; a timestamp as `EventTime`. */
  | { readonly kind: "literal"; readonly value: null | boolean | number | string; readonly type: DataType }
  /** Only as the second argument of add and sub on a timestamp. */
  | { readonly kind: "interval"; readonly micros: number; readonly text: string }
  /** `options`: windowOf { size, slide, offset: µs }, cast { type }, dateTrunc { unit }, dateFormat { format, timeZone }, … */
  | {
      readonly kind: "call";
      readonly fn: FunctionName;
      readonly args: readonly Expression[];
      readonly options?: Readonly<Record<string, unknown>>;
    };
