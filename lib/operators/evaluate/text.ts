import { regularExpression } from "../../plan/regular-expression.js";
import { binary, type Call, type CallCompiler, type CallScope, unary } from "./apply.js";
import { textOf } from "./cast.js";
import type { Evaluator } from "./evaluator.js";

export const compileText: CallCompiler = (call, scope) => {
  switch (call.fn) {
    case "concat":
      return concat(call, scope);
    case "upper":
      return unary(call, scope, (text: string) => text.toUpperCase());
    case "lower":
      return unary(call, scope, (text: string) => text.toLowerCase());
    case "trim":
      return unary(call, scope, withoutBlanks);
    case "length":
      return unary(call, scope, codePoints);
    case "substring":
      return substring(call, scope);
    case "contains":
      return binary(call, scope, (text: string, part: string) => text.includes(part));
    case "startsWith":
      return binary(call, scope, (text: string, part: string) => text.startsWith(part));
    case "endsWith":
      return binary(call, scope, (text: string, part: string) => text.endsWith(part));
    default:
      return regexpLike(call, scope);
  }
};

/** By hand: a regular expression for the end looks at every run of blanks inside again and again. */
function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === BLANK) start++;
  while (end > start && text.charCodeAt(end - 1) === BLANK) end--;
  return text.slice(start, end);
}

const BLANK = 32;

/** In code points, as SQL counts characters. */
const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

function concat(call: Call, scope: CallScope): Evaluator {
  const parts = call.args.map((argument) => ({ evaluate: scope.compile(argument), type: scope.typeOf(argument) }));
  return (row, right) => {
    let text = "";
    for (const { evaluate, type } of parts) {
      const value = evaluate(row, right);
      if (value === null) return null;
      text += textOf(value, type);
    }
    return text;
  };
}

/** Position from 1, negative from the end; an optional length. In code points. */
function substring(call: Call, scope: CallScope): Evaluator {
  const [text, position, length] = call.args.map(scope.compile);
  return (row, right) => {
    const value = text!(row, right);
    const at = position!(row, right);
    const count = length === undefined ? Number.POSITIVE_INFINITY : length(row, right);
    if (value === null || at === null || count === null) return null;
    const points = [...(value as string)];
    const place = Number(at);
    const start = place > 0 ? place - 1 : place < 0 ? points.length + place : 0;
    const end = start + Number(count);
    return points.slice(Math.max(start, 0), Math.max(end, 0)).join("");
  };
}

/** The pattern is compiled once per text; a column of patterns once per change of it. */
function regexpLike(call: Call, scope: CallScope): Evaluator {
  let source: string | null = null;
  let pattern = /(?:)/u;
  return binary(call, scope, (text: string, wanted: string) => {
    if (wanted !== source) {
      pattern = regularExpression(wanted);
      source = wanted;
    }
    return pattern.test(text);
  });
}
