import type { BooleanColumn, ColumnType } from "./column-type.js";
import { call, Expr, type ExprOver, type NamesOf, type Operand, type TreeOf, toExpression } from "./expr.js";

type Trees<All extends readonly Operand[]> = { readonly [I in keyof All]: TreeOf<All[I]> };

/** True if all are; false if one is false, NULL otherwise. @example and(col("page").isNotNull(), col("durationMs").gt(0)) */
export const and = <All extends readonly ExprOver<string>[]>(
  ...conditions: All
): Expr<BooleanColumn, NamesOf<All[number]>> => call("and", conditions);

/** True if one is; false if all are false, NULL otherwise. @example or(col("page").eq("/"), col("page").eq("/home")) */
export const or = <All extends readonly ExprOver<string>[]>(
  ...conditions: All
): Expr<BooleanColumn, NamesOf<All[number]>> => call("or", conditions);

/** True becomes false and false true; NULL stays NULL. @example not(startsWith(col("page"), "/admin")) */
export const not = <Names extends string>(condition: ExprOver<Names>): Expr<BooleanColumn, Names> =>
  call("not", [condition]);

/** The first that is not NULL. @example coalesce(col("referrer"), "direct") */
export const coalesce = <const All extends readonly Operand[]>(
  ...values: All
): Expr<{ readonly firstNonNull: Trees<All> }, NamesOf<All[number]>> => call("coalesce", values);

/** A CASE that may go on; as it stands it is NULL where no case holds. */
export class When<Values extends readonly unknown[], Names extends string> extends Expr<
  { readonly oneOf: readonly [...Values, ColumnType<never, null>] },
  Names
> {
  /** One case more, tried after those before it. */
  when<N extends string, const V extends Operand>(
    condition: ExprOver<N>,
    value: V,
  ): When<readonly [...Values, TreeOf<V>], Names | N | NamesOf<V>> {
    return new When({ kind: "call", fn: "caseWhen", args: this.#and(condition, value) });
  }

  /** The value where no case holds. */
  otherwise<const V extends Operand>(
    value: V,
  ): Expr<{ readonly oneOf: readonly [...Values, TreeOf<V>] }, Names | NamesOf<V>> {
    return new Expr({ kind: "call", fn: "caseWhen", args: this.#and(value) });
  }

  #and(...more: readonly Operand[]) {
    const before = this.expression.kind === "call" ? this.expression.args : [];
    return Object.freeze([...before, ...more.map(toExpression)]);
  }
}

/**
 * The value of the first case whose condition is true (SQL's CASE WHEN).
 * @example when(col("durationMs").lt(1000), "bounce").when(col("durationMs").lt(60_000), "visit").otherwise("stay")
 */
export const when = <N extends string, const V extends Operand>(
  condition: ExprOver<N>,
  value: V,
): When<readonly [TreeOf<V>], N | NamesOf<V>> =>
  new When({ kind: "call", fn: "caseWhen", args: Object.freeze([condition, value].map(toExpression)) });
