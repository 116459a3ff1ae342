import type { LongColumn } from "./column-type.js";
import { call, type Expr, type ExprOver } from "./expr.js";

type Same<E> = E;

/** The magnitude, in the argument's type. The lowest long has none and fails the row (`arithmetic-overflow`). @example abs(col("delta")) */
export const abs = <E extends ExprOver<string>>(value: E): Same<E> => call("abs", [value]) as unknown as E;
/** The value with the other sign, in the argument's type; fails as `abs` does. @example negate(col("delta")) */
export const negate = <E extends ExprOver<string>>(value: E): Same<E> => call("negate", [value]) as unknown as E;

/** To `digits` places after the point (negative: before it), halves away from zero. @example round(col("seconds"), 1) */
export const round = <E extends ExprOver<string>>(value: E, digits = 0): Same<E> =>
  call("round", [value, digits]) as unknown as E;

/** The highest whole number not above it, a long; beyond 2^63 the row fails (`arithmetic-overflow`). @example floor(col("seconds")) */
export const floor = <N extends string>(value: ExprOver<N>): Expr<LongColumn, N> => call("floor", [value]);
/** The lowest whole number not below it, by the rules of `floor`. @example ceil(col("seconds")) */
export const ceil = <N extends string>(value: ExprOver<N>): Expr<LongColumn, N> => call("ceil", [value]);
