import { commonType } from "./data-type.js";
import type { Expression } from "./expression.js";
import { carriesEventTime, retentionOf, type TimeColumns } from "./join-bounds.js";
import { nullRejectedColumns } from "./join-null-rejection.js";
import type { JoinType } from "./logical-plan.js";
import { resolveExpression } from "./resolve.js";
import type { DataType, Schema } from "./schema.js";
import { conjuncts, visitColumns } from "./visit-expression.js";
import type { WatermarkedColumn } from "./watermarked-columns.js";

export type Side = "left" | "right";

export interface PerSide<T> {
  readonly left: T;
  readonly right: T;
}

/** One equality between an expression of the left alone and one of the right alone. */
interface JoinKey {
  readonly left: Expression;
  readonly right: Expression;
  /** `eqNullSafe`: NULL equals NULL. */
  readonly nullSafe: boolean;
  /** That both sides compare and are encoded as. */
  readonly type: DataType;
}

export interface JoinInputColumns {
  readonly schema: Schema;
  /** Of `watermarkedColumn(node)`; undefined: the side has no watermark. */
  readonly eventTime: Pick<WatermarkedColumn, "name" | "type"> | undefined;
}

/** What a join's `on` means, taken apart once. Every expression keeps the `side` of its columns. */
export interface JoinCondition {
  readonly keys: readonly JoinKey[];
  /** The key that compares event times or windows, by index; rows are then evicted by its value. */
  readonly timeKey: number | null;
  /** Conjuncts that belong below the join, and below its watermarks where A11 allows (SEMANTICS F8). */
  readonly filters: PerSide<readonly Expression[]>;
  /** Conjuncts on one side that may not filter it: a row that fails one matches nothing, known at once (F10). */
  readonly own: PerSide<readonly Expression[]>;
  /** The rest, checked per pair; range conditions among them. */
  readonly residual: readonly Expression[];
  /** A side's row is evicted as soon as its time + this many ms <= the watermark (F2); null: never. May be negative. */
  readonly retentionMs: PerSide<number | null>;
}

/** The sides whose rows vanish when they cannot match, rather than being padded or kept. */
const FILTERED: Readonly<Record<JoinType, readonly Side[]>> = {
  inner: ["left", "right"],
  leftSemi: ["left", "right"],
  leftOuter: ["right"],
  leftAnti: ["right"],
  rightOuter: ["left"],
  fullOuter: [],
};

/** @throws `unknown-column`, `type-mismatch` */
export function analyseJoin(
  type: JoinType,
  on: Expression,
  left: JoinInputColumns,
  right: JoinInputColumns,
): JoinCondition {
  const filtered = FILTERED[type];
  const keys: JoinKey[] = [];
  const residual: Expression[] = [];
  const filters = { left: [] as Expression[], right: [] as Expression[] };
  const own = { left: [] as Expression[], right: [] as Expression[] };
  const all = conjuncts(on);
  for (const conjunct of all) {
    const key = equality(conjunct, { left: left.schema, right: right.schema });
    const side = sideOf(conjunct);
    if (key !== null) keys.push(key);
    else if (side === null) residual.push(conjunct);
    else if (filtered.includes(side)) filters[side].push(conjunct);
    else own[side].push(conjunct);
  }
  for (const column of nullRejectedColumns(all)) {
    if (filtered.includes(column.side)) filters[column.side].push(isNotNull(column.name, column.side));
  }
  const times: TimeColumns = { left: left.eventTime, right: right.eventTime };
  const timeKey = keys.findIndex((key) => carriesEventTime(key.left, times) || carriesEventTime(key.right, times));
  return {
    keys,
    timeKey: timeKey < 0 ? null : timeKey,
    filters,
    own,
    residual,
    retentionMs: timeKey < 0 ? retentionOf(all, times) : { left: 0, right: 0 },
  };
}

const isNotNull = (name: string, side: Side): Expression => ({
  kind: "call",
  fn: "isNotNull",
  args: [{ kind: "column", name, side }],
});

/** The only side that the expression reads; null for both or none. */
function sideOf(expression: Expression): Side | null {
  const sides = new Set<Side>();
  visitColumns(expression, (column) => {
    if (column.side !== undefined) sides.add(column.side);
  });
  return sides.size === 1 ? [...sides][0]! : null;
}

function equality(conjunct: Expression, scope: PerSide<Schema>): JoinKey | null {
  if (conjunct.kind !== "call" || (conjunct.fn !== "eq" && conjunct.fn !== "eqNullSafe")) return null;
  const [a, b] = conjunct.args as [Expression, Expression];
  const [sideOfA, sideOfB] = [sideOf(a), sideOf(b)];
  if (sideOfA === null || sideOfB === null || sideOfA === sideOfB) return null;
  const type = comparedAs(resolveExpression(a, scope).type, resolveExpression(b, scope).type);
  if (type === null) return null;
  const nullSafe = conjunct.fn === "eqNullSafe";
  return sideOfA === "left" ? { left: a, right: b, nullSafe, type } : { left: b, right: a, nullSafe, type };
}

/** Of a timestamp and a json value: both as times. */
function comparedAs(a: DataType, b: DataType): DataType | null {
  const common = commonType(a, b);
  return common === "json" && (a === "timestamp" || b === "timestamp") ? "timestamp" : common;
}

/** A side's filters as conditions over its rows alone, for the planner to put below the join. */
export const implicitFilters = (condition: JoinCondition, side: Side): readonly Expression[] =>
  condition.filters[side].map(withoutSide);

function withoutSide(expression: Expression): Expression {
  if (expression.kind === "call") return { ...expression, args: expression.args.map(withoutSide) };
  if (expression.kind !== "column") return expression;
  const { side: _, ...column } = expression;
  return column;
}

/** The watermark that the join's output carries: the smaller state watermark of its sides (SEMANTICS H3). */
export function joinOutputWatermark({ retentionMs }: JoinCondition, inputWatermark: number): number {
  const known = [retentionMs.left, retentionMs.right].filter((retention) => retention !== null);
  return known.length === 0 ? inputWatermark : inputWatermark - Math.max(...known);
}
