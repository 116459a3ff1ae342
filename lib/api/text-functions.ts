import type { BooleanColumn, ColumnType, StringColumn } from "./column-type.js";
import { call, type Expr, type ExprOver, type NamesOf, type Operand } from "./expr.js";

type Text<Names extends string> = Expr<StringColumn, Names>;

/** The values as text, one after the other; NULL if one is NULL. */
export const concat = <const All extends readonly Operand[]>(...values: All): Text<NamesOf<All[number]>> =>
  call("concat", values);

export const upper = <N extends string>(text: ExprOver<N>): Text<N> => call("upper", [text]);
export const lower = <N extends string>(text: ExprOver<N>): Text<N> => call("lower", [text]);
/** Without the blanks at both ends. */
export const trim = <N extends string>(text: ExprOver<N>): Text<N> => call("trim", [text]);

/** In characters. */
export const length = <N extends string>(text: ExprOver<N>): Expr<ColumnType<"int", number | null>, N> =>
  call("length", [text]);

/** `count` characters from `start`, which counts from 1; a negative start counts from the end. */
export const substring = <N extends string>(text: ExprOver<N>, start: number, count: number): Text<N> =>
  call("substring", [text, start, count]);

export const contains = <N extends string>(text: ExprOver<N>, part: string): Expr<BooleanColumn, N> =>
  call("contains", [text, part]);
export const startsWith = <N extends string>(text: ExprOver<N>, part: string): Expr<BooleanColumn, N> =>
  call("startsWith", [text, part]);
export const endsWith = <N extends string>(text: ExprOver<N>, part: string): Expr<BooleanColumn, N> =>
  call("endsWith", [text, part]);

/** Whether the regular expression (JavaScript's) matches somewhere. */
export const regexpLike = <N extends string>(text: ExprOver<N>, pattern: string): Expr<BooleanColumn, N> =>
  call("regexpLike", [text, pattern]);
