import { userError } from "../errors.js";
import { argumentText } from "./argument-text.js";
import { commonType, isNumeric, typeText } from "./data-type.js";
import type { Expression, FunctionName } from "./expression.js";
import { regularExpression } from "./regular-expression.js";
import type { Resolved } from "./resolve.js";
import type { DataType } from "./schema.js";

type Call = Extract<Expression, { kind: "call" }>;
/** Types of the arguments to the type of the result; null: the arguments do not fit. */
type Rule = (types: readonly DataType[], call: Call) => DataType | null;

const every =
  (accepts: (type: DataType) => boolean, result: DataType): Rule =>
  (types) =>
    types.every((type) => type === "json" || accepts(type)) ? result : null;

const is = (...accepted: readonly DataType[]) => {
  const names = new Set(accepted.map(typeText));
  return (type: DataType) => names.has(typeText(type));
};

const widest = (types: readonly DataType[]): DataType | null =>
  types.reduce<DataType | null>((type, next) => (type === null ? null : commonType(type, next)), types[0]!);

const isNullLiteral = (argument: Expression | undefined): boolean =>
  argument?.kind === "literal" && argument.value === null;

/** A bare NULL takes the type of the others. */
const commonOf = (types: readonly DataType[], call: Call, places: readonly number[]): DataType | null => {
  const typed = places.filter((place) => !isNullLiteral(call.args[place]));
  return widest((typed.length === 0 ? places : typed).map((place) => types[place]!));
};

const common: Rule = (types, call) => commonOf(types, call, [...types.keys()]);

const comparison: Rule = (types, call) => (common(types, call) === null ? null : "boolean");

const arithmetic: Rule = (types, call) =>
  types.every((type) => type === "json" || isNumeric(type)) ? common(types, call) : null;

const fractional: Rule = every(isNumeric, "double");

const shift: Rule = (types, call) => {
  const interval = call.args[1]?.kind === "interval";
  if (!interval) return arithmetic(types, call);
  return types[0] === "timestamp" || types[0] === "json" ? "timestamp" : null;
};

const caseWhen: Rule = (types, call) => {
  const isResult = (place: number) => place % 2 === 1 || place === types.length - 1;
  const places = [...types.keys()];
  const conditions = places.filter((place) => !isResult(place)).map((place) => types[place]!);
  return conditions.every(is("boolean", "json")) ? commonOf(types, call, places.filter(isResult)) : null;
};

const text = every(is("string"), "string");
const textTest = every(is("string"), "boolean");
const logic = every(is("boolean"), "boolean");
const time = is("timestamp");
const calendar = every(time, "int");

/** A constant one is read now, not at the first row. */
function checkPattern(pattern: Expression | undefined): void {
  if (pattern?.kind === "literal" && typeof pattern.value === "string") regularExpression(pattern.value);
}

const RULES: Readonly<Record<FunctionName, Rule>> = {
  eq: comparison,
  eqNullSafe: comparison,
  ne: comparison,
  lt: comparison,
  le: comparison,
  gt: comparison,
  ge: comparison,
  add: shift,
  sub: shift,
  mul: arithmetic,
  div: fractional,
  mod: arithmetic,
  negate: arithmetic,
  abs: arithmetic,
  round: ([value, digits], call) =>
    digits === undefined || digits === "int" || digits === "long" ? arithmetic([value!], call) : null,
  floor: every(isNumeric, "long"),
  ceil: every(isNumeric, "long"),
  and: logic,
  or: logic,
  not: logic,
  isNull: () => "boolean",
  isNotNull: () => "boolean",
  coalesce: common,
  caseWhen,
  isIn: (types, call) => (common(types, call) === null ? null : "boolean"),
  concat: () => "string",
  upper: text,
  lower: text,
  trim: text,
  length: every(is("string"), "int"),
  substring: ([value, ...places]) =>
    (value === "string" || value === "json") && places.every(is("int", "long", "json")) ? "string" : null,
  contains: textTest,
  startsWith: textTest,
  endsWith: textTest,
  regexpLike: (types, call) => {
    checkPattern(call.args[1]);
    return textTest(types, call);
  },
  cast: (_, call) => (call.options?.["type"] ?? null) as DataType | null,
  dateTrunc: every(time, "timestamp"),
  year: calendar,
  month: calendar,
  dayOfMonth: calendar,
  dayOfWeek: calendar,
  hour: calendar,
  minute: calendar,
  second: calendar,
  toTimestamp: every(is("string", "timestamp"), "timestamp"),
  tryToTimestamp: every(is("string", "timestamp"), "timestamp"),
  dateFormat: every(is("timestamp", "timestamp_ntz"), "string"),
  fromUnixtime: every(is("int", "long"), "string"),
  unixTimestamp: every(is("string", "timestamp"), "long"),
  fromUtcTimestamp: every(time, "timestamp"),
  toUtcTimestamp: every(time, "timestamp"),
  timestampMicros: every(isNumeric, "timestamp"),
  unixSeconds: every(time, "long"),
  unixMicros: every(time, "long"),
  timestampSeconds: every(isNumeric, "timestamp"),
  timestampMillis: every(isNumeric, "timestamp"),
  unixMillis: every(time, "long"),
  windowOf: every(is("timestamp", "window"), "window"),
  windowTime: every(is("window"), "timestamp"),
};

const NEVER_NULL: ReadonlySet<FunctionName> = new Set(["isNull", "isNotNull", "eqNullSafe", "windowOf"]);

/** By the arguments: under ANSI rules what does not convert or divide is an error, never NULL. */
function nullable(call: Call, args: readonly Resolved[]): boolean {
  if (NEVER_NULL.has(call.fn)) return false;
  if (call.fn === "coalesce") return args.every((argument) => argument.nullable);
  if (call.fn === "tryToTimestamp" || (call.fn === "caseWhen" && args.length % 2 === 0)) return true;
  return args.some((argument) => argument.nullable);
}

/**
 * `caseWhen` takes condition, value, condition, value, …, and one value more for the rest; `isIn` the value, then the candidates.
 * An interval argument counts as a timestamp's shift and has no type of its own.
 */
export function resolveCall(call: Call, resolve: (argument: Expression) => Resolved): Resolved {
  const valued = call.args.filter((argument) => argument.kind !== "interval");
  const args = valued.map(resolve);
  const misplaced = call.args.findIndex((argument) => argument.kind === "interval");
  const fits = misplaced === -1 || (misplaced === 1 && (call.fn === "add" || call.fn === "sub"));
  const type =
    fits && args.length > 0
      ? RULES[call.fn](
          args.map((argument) => argument.type),
          call,
        )
      : null;
  if (type === null) {
    throw userError(
      "type-mismatch",
      `${call.fn}(${valued.map((argument, place) => argumentText(argument, args[place]!.type)).join(", ")}) has no meaning.`,
      "Change the arguments, or cast() them.",
    );
  }
  return { type, nullable: nullable(call, args) };
}
