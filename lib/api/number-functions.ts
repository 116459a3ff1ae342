import type { LongColumn } from "./column-type.js";
import { call, type Expr, type ExprOver } from "./expr.js";

type Same<E> = E;

/** The magnitude. */
export const abs = <E extends ExprOver<string>>(value: E): Same<E> => call("abs", [value]) as unknown as E;
export const negate = <E extends ExprOver<string>>(value: E): Same<E> => call("negate", [value]) as unknown as E;

/** To `digits` places after the point, halves away from zero. */
export const round = <E extends ExprOver<string>>(value: E, digits = 0): Same<E> =>
  call("round", [value, digits]) as unknown as E;

export const floor = <N extends string>(value: ExprOver<N>): Expr<LongColumn, N> => call("floor", [value]);
export const ceil = <N extends string>(value: ExprOver<N>): Expr<LongColumn, N> => call("ceil", [value]);
