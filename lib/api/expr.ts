import { userError } from "../errors.js";
import type { Expression, FunctionName } from "../plan/expression.js";
import type { DataType } from "../plan/schema.js";
import { parseDuration } from "../time/duration.js";
import type { EventTime } from "../time/event-time.js";
import type { BooleanColumn, ColumnDeclaration, ColumnType, DoubleColumn, StringColumn } from "./column-type.js";

/** What an expression takes as an argument: a value that stands for itself, an expression, or an interval to add to a timestamp. */
export type Operand<Names extends string = string> = Literal | Expr<unknown, Names>;
/** A value that an expression may hold; a Date is a timestamp, a bigint a long. */
export type Literal = string | number | bigint | boolean | Date | null;

export type NamesOf<O> = O extends Expr<unknown, infer Names> ? Names : never;
export type TreeOf<O> =
  O extends Expr<infer Tree, string>
    ? Tree
    : O extends number
      ? ColumnType<"int", number>
      : O extends bigint
        ? ColumnType<"long", bigint>
        : O extends string
          ? StringColumn<never>
          : O extends boolean
            ? BooleanColumn<never>
            : O extends Date
              ? ColumnType<"timestamp", EventTime>
              : ColumnType<"json", null>;
type Test<Names extends string, O> = Expr<BooleanColumn, Names | NamesOf<O>>;

/**
 * A value computed from a row. It keeps its syntax tree, so unlike a function it can be analysed: filters sink below the
 * watermark, join conditions yield keys and time bounds (SEMANTICS A11, F2). NULL follows SQL: a comparison with NULL is
 * NULL, and a filter keeps a row only if its condition is true.
 *
 * @example col("durationMs").gt(1000).and(col("page").isNotNull())
 */
export class Expr<out Tree, out Names extends string> {
  readonly expression: Expression;
  /** Only for the compiler: never set. */
  declare readonly tree: Tree;
  declare readonly names: Names;

  constructor(expression: Expression) {
    this.expression = Object.freeze(expression);
    Object.freeze(this);
  }

  /** Comparisons are of values: numbers of any width with each other, text by its UTF-8 bytes, timestamps to the microsecond. @throws `type-mismatch` in the verb that takes them */
  eq<O extends Operand>(other: O): Test<Names, O> {
    return this.#call("eq", other);
  }
  /** Equal, where NULL equals NULL. */
  eqNullSafe<O extends Operand>(other: O): Test<Names, O> {
    return this.#call("eqNullSafe", other);
  }
  ne<O extends Operand>(other: O): Test<Names, O> {
    return this.#call("ne", other);
  }
  lt<O extends Operand>(other: O): Test<Names, O> {
    return this.#call("lt", other);
  }
  le<O extends Operand>(other: O): Test<Names, O> {
    return this.#call("le", other);
  }
  gt<O extends Operand>(other: O): Test<Names, O> {
    return this.#call("gt", other);
  }
  ge<O extends Operand>(other: O): Test<Names, O> {
    return this.#call("ge", other);
  }
  /** Never NULL itself. */
  isNull(): Expr<BooleanColumn<never>, Names> {
    return this.#call("isNull");
  }
  /** Never NULL itself. */
  isNotNull(): Expr<BooleanColumn<never>, Names> {
    return this.#call("isNotNull");
  }
  /** Whether it equals one of the values; NULL, if it is NULL or equals none and one of them is. @example col("country").isIn("IT", "FR") */
  isIn(...values: readonly Literal[]): Expr<BooleanColumn, Names> {
    return this.#call("isIn", ...values);
  }
  /** False if either is false, else NULL if either is NULL, else true. */
  and<O extends Operand>(other: O): Test<Names, O> {
    return this.#call("and", other);
  }
  /** True if either is true, else NULL if either is NULL, else false. */
  or<O extends Operand>(other: O): Test<Names, O> {
    return this.#call("or", other);
  }

  /** A sum; on a timestamp, `plus(interval("10 seconds"))`. */
  plus<O extends Operand>(other: O): Expr<{ readonly arithmetic: readonly [Tree, TreeOf<O>] }, Names | NamesOf<O>> {
    return this.#call("add", other);
  }
  /** A difference; on a timestamp, `minus(interval("10 seconds"))`. */
  minus<O extends Operand>(other: O): Expr<{ readonly arithmetic: readonly [Tree, TreeOf<O>] }, Names | NamesOf<O>> {
    return this.#call("sub", other);
  }
  /** A product. A whole number beyond its type fails the row (`arithmetic-overflow`), as do sums and differences. */
  times<O extends Operand>(other: O): Expr<{ readonly arithmetic: readonly [Tree, TreeOf<O>] }, Names | NamesOf<O>> {
    return this.#call("mul", other);
  }
  /** Always a double, as in Spark. By zero the row fails (`division-by-zero`): guard it with `when(divisor.ne(0), …)`. */
  dividedBy<O extends Operand>(other: O): Expr<DoubleColumn, Names | NamesOf<O>> {
    return this.#call("div", other);
  }
  /** The remainder, with the sign of the dividend. By zero the row fails (`division-by-zero`). */
  mod<O extends Operand>(other: O): Expr<{ readonly arithmetic: readonly [Tree, TreeOf<O>] }, Names | NamesOf<O>> {
    return this.#call("mod", other);
  }

  /** `start` or `end` of a window, a member of a struct or json value. */
  field<const Name extends string>(name: Name): Expr<{ readonly field: Tree; readonly name: Name }, Names> {
    const { expression } = this;
    if (expression.kind !== "column") throw notAColumn(name);
    return new Expr({ ...expression, path: [...(expression.path ?? []), name] });
  }

  /** The value as another type; a row whose value does not convert fails (`cast-failed`), as in Spark. @example col("count").cast(double()) */
  cast<C extends ColumnType>(
    to: ColumnDeclaration<C>,
  ): Expr<ColumnType<C["type"], Exclude<C["value"], null> | null>, Names> {
    return new Expr({ kind: "call", fn: "cast", args: [this.expression], options: { type: to.type } });
  }

  #call<E extends Expr<unknown, string>>(fn: FunctionName, ...others: readonly Operand[]): E {
    return call(fn, [this, ...others]) as unknown as E;
  }
}

const notAColumn = (name: string) =>
  userError(
    "type-mismatch",
    `field('${name}') of a computed value has no meaning.`,
    "Take it of a column, as in col('window').field('start'), or put the value into a column first.",
  );

/** Any expression over these columns. */
export type ExprOver<Names extends string> = Expr<unknown, Names>;

export const call = <Tree, Names extends string>(
  fn: FunctionName,
  args: readonly Operand[],
  options?: Readonly<Record<string, unknown>>,
): Expr<Tree, Names> =>
  new Expr({
    kind: "call",
    fn,
    args: Object.freeze(args.map(toExpression)),
    ...(options === undefined ? {} : { options: Object.freeze(options) }),
  });

export const toExpression = (operand: Operand): Expression =>
  operand instanceof Expr ? operand.expression : literal(operand);

function literal(value: Literal): Expression {
  if (value instanceof Date) return { kind: "literal", value: value.getTime(), type: "timestamp" };
  if (typeof value === "bigint") return { kind: "literal", value: value.toString(), type: "long" };
  return { kind: "literal", value, type: literalType(value) };
}

function literalType(value: string | number | boolean | null): DataType {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (value === null) return "json";
  if (!Number.isSafeInteger(value)) return "double";
  return (value | 0) === value ? "int" : "long";
}

/** A column by name. @example col("userId") */
export const col = <const Name extends string>(name: Name): Expr<{ readonly column: Name }, Name> =>
  new Expr({ kind: "column", name });

/** A constant. A number is an int, a long or a double after its value; give a declaration to say otherwise. @example lit(0, double()) */
export function lit<const V extends Literal>(value: V): Expr<TreeOf<V>, never>;
export function lit<V extends Literal, C extends ColumnType>(value: V, as: ColumnDeclaration<C>): Expr<C, never>;
export function lit(value: Literal, as?: ColumnDeclaration): Expr<ColumnType, never> {
  const expression = literal(value);
  return new Expr(as === undefined || expression.kind !== "literal" ? expression : { ...expression, type: as.type });
}

/**
 * A length of time, to be added to or taken from a timestamp.
 * @example col("eventTime").plus(interval("10 minutes"))
 * @throws `invalid-interval`, `interval-in-months`
 */
export const interval = (text: string): Expr<ColumnType<"interval", number>, never> =>
  new Expr({ kind: "interval", micros: parseDuration(text), text });
