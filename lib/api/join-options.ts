import { userError } from "../errors.js";
import type { Expression } from "../plan/expression.js";
import type { JoinType, LogicalNode } from "../plan/logical-plan.js";
import { watermarkedColumn } from "../plan/watermarked-columns.js";
import { parseDuration } from "../time/duration.js";
import type { NameOf } from "./column-type.js";
import { Expr, type ExprOver, interval, toExpression } from "./expr.js";
import type { NullableColumns, Simplify } from "./stream-type.js";

/** The columns of one side, as `on` gets them: `left.userId.eq(right.userId)`. */
export type JoinSide<S> = {
  readonly [Name in NameOf<S>]: Expr<{ readonly column: Name }, Name>;
};

/** The right row's event time lies between the left row's time plus `from` and plus `to`, both inclusive; either may be left out. */
export interface Within {
  readonly from?: string;
  readonly to?: string;
}

/** How `join` pairs rows. */
export interface JoinOptions<S, R, Type extends JoinType, Using extends string> {
  readonly type?: Type;
  /** Columns of both sides that must be equal; each is one column of the result. */
  readonly using?: readonly Using[] & readonly (NameOf<S> & NameOf<R>)[];
  /** Builds the condition; needs at least one equality between the sides, unless `using` gives it. */
  readonly on?: (left: JoinSide<S>, right: JoinSide<R>) => ExprOver<string>;
  /** Bounds the time between the rows of a pair, and with it how long either is kept. */
  readonly within?: Within;
  /** Names the operator's state; keep it when the query changes. */
  readonly id?: string;
}

/** The columns of the result; the side that may lack a partner is nullable. */
export type Joined<S, R, Type extends JoinType, Using extends string> = [Type] extends ["leftSemi" | "leftAnti"]
  ? S
  : Simplify<
      ([Type] extends ["rightOuter" | "fullOuter"] ? Omit<NullableColumns<S>, Using> : Omit<S, Using>) &
        ([Type] extends ["leftOuter" | "fullOuter"] ? Omit<NullableColumns<R>, Using> : Omit<R, Using>) &
        ([Type] extends ["rightOuter"] ? Pick<R, Using & keyof R> : Pick<S, Using & keyof S>)
    >;

/** `on` may name any column, also of an open schema; the plan refuses those that are not there. */
const side = (name: "left" | "right") =>
  new Proxy(Object.freeze({}), {
    get: (_, column) =>
      typeof column === "string" ? new Expr({ kind: "column", name: column, side: name }) : undefined,
  });

/** The condition of a join: `on`, and the bounds of `within` between the event times of both sides. */
export function joinCondition(
  left: LogicalNode,
  right: LogicalNode,
  on: ((left: never, right: never) => ExprOver<string>) | undefined,
  within: Within | undefined,
): Expression | undefined {
  const conditions = [
    ...(on === undefined ? [] : [toExpression(on(side("left") as never, side("right") as never))]),
    ...(within === undefined ? [] : bounds(left, right, within)),
  ];
  if (conditions.length < 2) return conditions[0];
  return Object.freeze({ kind: "call", fn: "and", args: Object.freeze(conditions) });
}

function bounds(left: LogicalNode, right: LogicalNode, { from, to }: Within): readonly Expression[] {
  const l = new Expr({ kind: "column", name: timeName(left, "left"), side: "left" });
  const r = new Expr({ kind: "column", name: timeName(right, "right"), side: "right" });
  if (from !== undefined && to !== undefined && parseDuration(from) > parseDuration(to)) {
    throw userError(
      "within-empty",
      `No time lies between '${from}' and '${to}'.`,
      "Give `within` a `from` of at most `to`; negative is before.",
    );
  }
  return [
    ...(from === undefined ? [] : [r.ge(l.plus(interval(from))).expression]),
    ...(to === undefined ? [] : [r.le(l.plus(interval(to))).expression]),
  ];
}

function timeName(node: LogicalNode, which: string): string {
  const time = watermarkedColumn(node);
  if (time?.type === "timestamp") return time.name;
  throw userError(
    "within-without-watermark",
    `The ${which} side of the join has no event-time column that \`within\` could bound.`,
    "Call withWatermark() on both sides before join(), or compare the times in `on`.",
  );
}
