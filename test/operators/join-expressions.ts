import type { Expression, FunctionName } from "../../lib/plan/expression.js";

/** Short spellings of `on` conditions for the join tests. */
export const l = (name: string, ...path: string[]): Expression => column("left", name, path);
export const r = (name: string, ...path: string[]): Expression => column("right", name, path);

const column = (side: "left" | "right", name: string, path: string[]): Expression => ({
  kind: "column",
  name,
  side,
  ...(path.length === 0 ? {} : { path }),
});

export const call = (fn: FunctionName, ...args: Expression[]): Expression => ({ kind: "call", fn, args });
export const number = (value: number): Expression => ({ kind: "literal", value, type: "long" });
export const seconds = (n: number): Expression => ({ kind: "interval", micros: n * 1e6, text: `${n} seconds` });
export const and = (...args: Expression[]): Expression => call("and", ...args);
export const eq = (a: Expression, b: Expression): Expression => call("eq", a, b);
export const plus = (a: Expression, n: number): Expression => call("add", a, seconds(n));
export const minus = (a: Expression, n: number): Expression => call("sub", a, seconds(n));
