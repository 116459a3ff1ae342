import type { FunctionName } from "../../plan/expression.js";
import type { CallCompiler } from "./apply.js";
import { compileArithmetic } from "./arithmetic.js";
import { compileCalendar } from "./calendar.js";
import { compileCast } from "./cast.js";
import { compileComparison } from "./comparison.js";
import { compileConditional } from "./conditional.js";
import { compileLogic } from "./logic.js";
import { compileText } from "./text.js";
import { compileTimeText } from "./time-text.js";
import { compileWindow } from "./window-of.js";

const COMPILERS: Readonly<Record<FunctionName, CallCompiler>> = {
  eq: compileComparison,
  eqNullSafe: compileComparison,
  ne: compileComparison,
  lt: compileComparison,
  le: compileComparison,
  gt: compileComparison,
  ge: compileComparison,
  add: compileArithmetic,
  sub: compileArithmetic,
  mul: compileArithmetic,
  div: compileArithmetic,
  mod: compileArithmetic,
  negate: compileArithmetic,
  abs: compileArithmetic,
  round: compileArithmetic,
  floor: compileArithmetic,
  ceil: compileArithmetic,
  and: compileLogic,
  or: compileLogic,
  not: compileLogic,
  isNull: compileLogic,
  isNotNull: compileLogic,
  coalesce: compileConditional,
  caseWhen: compileConditional,
  isIn: compileConditional,
  concat: compileText,
  upper: compileText,
  lower: compileText,
  trim: compileText,
  length: compileText,
  substring: compileText,
  contains: compileText,
  startsWith: compileText,
  endsWith: compileText,
  regexpLike: compileText,
  cast: compileCast,
  dateTrunc: compileCalendar,
  year: compileCalendar,
  month: compileCalendar,
  dayOfMonth: compileCalendar,
  dayOfWeek: compileCalendar,
  hour: compileCalendar,
  minute: compileCalendar,
  second: compileCalendar,
  toTimestamp: compileTimeText,
  tryToTimestamp: compileTimeText,
  dateFormat: compileTimeText,
  fromUnixtime: compileTimeText,
  unixTimestamp: compileTimeText,
  fromUtcTimestamp: compileTimeText,
  toUtcTimestamp: compileTimeText,
  timestampMicros: compileCalendar,
  unixSeconds: compileCalendar,
  unixMicros: compileCalendar,
  timestampSeconds: compileCalendar,
  timestampMillis: compileCalendar,
  unixMillis: compileCalendar,
  windowOf: compileWindow,
  windowTime: compileWindow,
};

export const compileCall: CallCompiler = (call, scope) => COMPILERS[call.fn](call, scope);
