import { durationText } from "../../time/duration-text.js";
import type { Expression } from "../expression.js";
import type { FunctionRef } from "../logical-plan.js";
import { isFunctionRef } from "../nodes/project-node.js";

const INFIX: Readonly<Record<string, string>> = {
  eq: "=",
  eqNullSafe: "<=>",
  ne: "<>",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  mod: "%",
  and: "and",
  or: "or",
};

/** An expression as one would write it in SQL; a user function by its id. */
export function expressionText(value: Expression | FunctionRef): string {
  if (isFunctionRef(value)) return `function ${value.function}`;
  switch (value.kind) {
    case "column":
      return [...(value.side === undefined ? [] : [value.side]), value.name, ...(value.path ?? [])].join(".");
    case "literal":
      return typeof value.value === "string" && value.type !== "long" ? `'${value.value}'` : String(value.value);
    case "interval":
      return `interval '${value.text}'`;
    case "call":
      return callText(value);
  }
}

function callText({ fn, args, options }: Extract<Expression, { kind: "call" }>): string {
  const texts = args.map(argumentText);
  const infix = INFIX[fn];
  if (infix !== undefined) return texts.join(` ${infix} `);
  const shape = ["size", "slide", "offset"].flatMap((name) => {
    const micros = options?.[name];
    return typeof micros === "number" ? [durationText(micros)] : [];
  });
  return `${fn}(${[...args.map(expressionText), ...shape].join(", ")})`;
}

const argumentText = (argument: Expression): string =>
  argument.kind === "call" && INFIX[argument.fn] !== undefined
    ? `(${expressionText(argument)})`
    : expressionText(argument);
