import { regularExpression } from "../plan/regular-expression.js";
import type { BooleanColumn, ColumnType, StringColumn } from "./column-type.js";
import { call, type Expr, type ExprOver, type NamesOf, type Operand } from "./expr.js";

type Text<Names extends string> = Expr<StringColumn, Names>;

/** The values as text, one after the other; NULL if one is NULL. @example concat(col("host"), ":", col("port")) */
export const concat = <const All extends readonly Operand[]>(...values: All): Text<NamesOf<All[number]>> =>
  call("concat", values);

/** In capital letters, by Unicode's rules without a locale. @example upper(col("country")) */
export const upper = <N extends string>(text: ExprOver<N>): Text<N> => call("upper", [text]);
/** In small letters, by Unicode's rules without a locale. @example lower(col("host")) */
export const lower = <N extends string>(text: ExprOver<N>): Text<N> => call("lower", [text]);
/** Without the blanks (U+0020 alone) at both ends. @example trim(col("name")) */
export const trim = <N extends string>(text: ExprOver<N>): Text<N> => call("trim", [text]);

/** In code points, as SQL counts characters. @example length(col("page")) */
export const length = <N extends string>(text: ExprOver<N>): Expr<ColumnType<"int", number | null>, N> =>
  call("length", [text]);

/** `count` code points from `start`, which counts from 1; a negative start counts from the end. @example substring(col("page"), 1, 20) */
export const substring = <N extends string>(text: ExprOver<N>, start: number, count: number): Text<N> =>
  call("substring", [text, start, count]);

/** Whether `part` stands somewhere in the text; case counts. @example contains(col("page"), "/docs/") */
export const contains = <N extends string>(text: ExprOver<N>, part: string): Expr<BooleanColumn, N> =>
  call("contains", [text, part]);
/** Whether the text begins with `part`; case counts. @example startsWith(col("page"), "/admin") */
export const startsWith = <N extends string>(text: ExprOver<N>, part: string): Expr<BooleanColumn, N> =>
  call("startsWith", [text, part]);
/** Whether the text ends with `part`; case counts. @example endsWith(col("page"), ".html") */
export const endsWith = <N extends string>(text: ExprOver<N>, part: string): Expr<BooleanColumn, N> =>
  call("endsWith", [text, part]);

/**
 * Whether the regular expression matches somewhere: JavaScript's, with flag `u`; Java's flags may stand in front.
 * @example regexpLike(col("page"), "^/blog/\\d+")
 * @example regexpLike(col("message"), "(?i)error")
 * @throws `regexp-invalid`
 */
export const regexpLike = <N extends string>(text: ExprOver<N>, pattern: string): Expr<BooleanColumn, N> => {
  regularExpression(pattern);
  return call("regexpLike", [text, pattern]);
};
