import type { CompilePair } from "../../lib/operators/join-side.js";
import type { Expression } from "../../lib/plan/expression.js";
import type { Row } from "../../lib/plan/schema.js";

const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
};

/** As much of SQL as the join tests need, independent of the engine's evaluator. */
export const compilePair: CompilePair = (expression) => (left, right) => evaluate(expression, left, right);

function evaluate(expression: Expression, left: Row, right: Row): unknown {
  if (expression.kind === "literal") return expression.value;
  if (expression.kind === "interval") return expression.micros / 1000;
  if (expression.kind === "column") {
    const value = (expression.side === "right" ? right : left)[expression.name];
    return (expression.path ?? []).reduce<unknown>(
      (parent, step) => (parent as Record<string, unknown> | null)?.[step] ?? null,
      value,
    );
  }
  const args = expression.args.map((argument) => evaluate(argument, left, right)) as (number | null)[];
  if (expression.fn === "isNotNull") return args[0] !== null;
  if (args.includes(null)) return null;
  const [a, b] = args as number[];
  if (expression.fn === "add") return a! + b!;
  if (expression.fn === "sub") return a! - b!;
  const compare = COMPARE[expression.fn];
  if (compare === undefined) throw new Error(`The tests' evaluator knows no ${expression.fn}.`);
  return compare(a!, b!);
}
