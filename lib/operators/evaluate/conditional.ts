import { equalValues } from "../ordering.js";
import type { CallCompiler } from "./apply.js";
import type { Evaluator } from "./evaluator.js";

export const compileConditional: CallCompiler = (call, scope) => {
  const args = call.args.map(scope.compile);
  switch (call.fn) {
    case "coalesce":
      return coalesce(args);
    case "isIn":
      return isIn(args[0]!, args.slice(1));
    default:
      return caseWhen(args);
  }
};

const coalesce =
  (args: readonly Evaluator[]): Evaluator =>
  (row, right) => {
    for (const argument of args) {
      const value = argument(row, right);
      if (value !== null) return value;
    }
    return null;
  };

/** NULL if the value is, or if no candidate matches and one of them is NULL (SQL). */
const isIn =
  (subject: Evaluator, candidates: readonly Evaluator[]): Evaluator =>
  (row, right) => {
    const value = subject(row, right);
    if (value === null) return null;
    let unknown = false;
    for (const candidate of candidates) {
      const other = candidate(row, right);
      if (other === null) unknown = true;
      else if (equalValues(value, other)) return true;
    }
    return unknown ? null : false;
  };

/** condition, value, condition, value, …, and one value more for the rest. */
const caseWhen =
  (args: readonly Evaluator[]): Evaluator =>
  (row, right) => {
    let i = 0;
    for (; i + 1 < args.length; i += 2) if (args[i]!(row, right) === true) return args[i + 1]!(row, right);
    return i < args.length ? args[i]!(row, right) : null;
  };
