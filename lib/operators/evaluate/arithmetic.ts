import { userError } from "../../errors.js";
import type { DataType } from "../../plan/schema.js";
import { shifted } from "../../time/event-time.js";
import { isIntegral, LONG_MAX, LONG_MIN, longValue } from "../integers.js";
import { binary, type Call, type CallCompiler, type CallScope, unary } from "./apply.js";
import { toEventTime } from "./cast.js";

type Numeric = number | bigint;

const overflow = (fn: string, type: string) =>
  userError(
    "arithmetic-overflow",
    `The result of ${fn} does not fit into ${type}.`,
    "Cast the arguments to double(), or filter such rows first.",
  );

const divisionByZero = () =>
  userError("division-by-zero", "A value was divided by zero.", "Guard the division with when(divisor.ne(0), …).");

const INT_MAX = 2 ** 31 - 1;

/** Whole numbers stay exact: beyond 2^53, or where `fast` is NaN because an argument is, the work is done in bigint, beyond the type it fails (ANSI). */
function exactly(fn: string, type: DataType, fast: number, exact: () => bigint): Numeric {
  if (type === "int") {
    if (fast > INT_MAX || fast < -INT_MAX - 1) throw overflow(fn, "int");
    return fast + 0;
  }
  if (Number.isSafeInteger(fast)) return fast + 0;
  const value = exact();
  if (value > LONG_MAX || value < LONG_MIN) throw overflow(fn, "long");
  return longValue(value);
}

const isDouble = (type: DataType, ...values: readonly Numeric[]): boolean =>
  type === "double" || (type === "json" && !values.every(isIntegral));

const OPERATIONS = {
  add: [(a: number, b: number) => a + b, (a: bigint, b: bigint) => a + b],
  sub: [(a: number, b: number) => a - b, (a: bigint, b: bigint) => a - b],
  mul: [(a: number, b: number) => a * b, (a: bigint, b: bigint) => a * b],
  mod: [(a: number, b: number) => a % b, (a: bigint, b: bigint) => a % b],
} as const;

function compileBinary(call: Call, scope: CallScope, fn: keyof typeof OPERATIONS): ReturnType<CallCompiler> {
  const type = scope.typeOf(call);
  const [fast, exact] = OPERATIONS[fn];
  return binary(call, scope, (a: Numeric, b: Numeric) => {
    // biome-ignore lint/suspicious/noDoubleEquals: zero as number or as bigint
    if (fn === "mod" && b == 0) throw divisionByZero();
    if (isDouble(type, a, b)) return fast(Number(a), Number(b));
    const inNumbers = typeof a === "number" && typeof b === "number" ? fast(a, b) : Number.NaN;
    return exactly(fn, type, inNumbers, () => exact(BigInt(a), BigInt(b)));
  });
}

function compileShift(call: Call, scope: CallScope): ReturnType<CallCompiler> {
  const interval = call.args[1]!;
  const micros = interval.kind === "interval" ? interval.micros * (call.fn === "add" ? 1 : -1) : 0;
  return unary(call, scope, (time: unknown) => shifted(toEventTime(time), micros));
}

function round(value: Numeric, digits: number): Numeric {
  if (isIntegral(value) && digits >= 0) return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return number;
  const rounded = Math.round(shiftedPoint(Math.abs(number), digits));
  return Number.isFinite(rounded) ? Math.sign(number) * shiftedPoint(rounded, -digits) : number;
}

/** By the digits that the number is written with: 1.005 · 100 is 100.49999999999999 as doubles, and rounds the wrong way. */
function shiftedPoint(value: number, digits: number): number {
  const [mantissa, exponent = "0"] = String(value).split("e");
  return Number(`${mantissa}e${Number(exponent) + digits}`);
}

const whole = (fn: string, value: number): Numeric =>
  Number.isFinite(value) ? exactly(fn, "long", value, () => BigInt(value)) : failOverflow(fn);

const failOverflow = (fn: string): never => {
  throw overflow(fn, "long");
};

export const compileArithmetic: CallCompiler = (call, scope) => {
  switch (call.fn) {
    case "add":
    case "sub":
      return call.args[1]?.kind === "interval" ? compileShift(call, scope) : compileBinary(call, scope, call.fn);
    case "mul":
    case "mod":
      return compileBinary(call, scope, call.fn);
    case "div":
      return binary(call, scope, (a: Numeric, b: Numeric) => {
        if (Number(b) === 0) throw divisionByZero();
        return Number(a) / Number(b);
      });
    case "round":
      if (call.args.length === 1) return unary(call, scope, (value: Numeric) => round(value, 0));
      return binary(call, scope, (value: Numeric, digits: Numeric) => round(value, Number(digits)));
    case "floor":
      return unary(call, scope, (value: Numeric) =>
        typeof value === "bigint" ? value : whole("floor", Math.floor(value)),
      );
    case "ceil":
      return unary(call, scope, (value: Numeric) =>
        typeof value === "bigint" ? value : whole("ceil", Math.ceil(value)),
      );
    default:
      return compileSign(call, scope);
  }
};

/** negate, abs. */
function compileSign(call: Call, scope: CallScope): ReturnType<CallCompiler> {
  const type = scope.typeOf(call);
  return unary(call, scope, (value: Numeric) => {
    if (call.fn === "abs" && value >= 0) return value;
    if (isDouble(type, value)) return -Number(value);
    return exactly(call.fn, type, typeof value === "number" ? -value : Number.NaN, () => -BigInt(value));
  });
}
