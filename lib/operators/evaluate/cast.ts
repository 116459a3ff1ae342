import { doubleOfText, integerOfText } from "../../plan/number-text.js";
import type { DataType } from "../../plan/schema.js";
import { canonical, type EventTime, exactInstant, isInstant } from "../../time/event-time.js";
import { timestampReader } from "../../time/timestamp-reader.js";
import { trimmed } from "../../time/timestamp-text.js";
import { isIntegral, LONG_MAX, LONG_MIN, longValue } from "../integers.js";
import { type CallCompiler, unary } from "./apply.js";
import { castFailed } from "./cast-failed.js";
import { doubleText } from "./double-text.js";
import type { Evaluator } from "./evaluator.js";

/** The value in the type, under ANSI rules: what does not convert is an error, never NULL. */
export const compileCast: CallCompiler = (call, scope) => {
  const from = scope.typeOf(call.args[0]!);
  const type = call.options?.["type"] as DataType;
  return unary(call, scope, converter(from, type));
};

function converter(from: DataType, type: DataType): (value: unknown) => unknown {
  switch (type) {
    case "string":
      return (value) => textOf(value, from);
    case "int":
      return (value) => toInteger(value, from, type, -(2n ** 31n), 2n ** 31n - 1n);
    case "long":
      return (value) => toInteger(value, from, type, LONG_MIN, LONG_MAX);
    case "double":
      return (value) => (isTimestamp(from) ? (value as EventTime) / 1000 : toDouble(value));
    case "boolean":
      return toBoolean;
    case "timestamp":
    case "timestamp_ntz":
      return (value) => (from === "int" || from === "long" || from === "double" ? seconds(value) : toEventTime(value));
    default:
      return (value) => value;
  }
}

const isTimestamp = (type: DataType): boolean => type === "timestamp" || type === "timestamp_ntz";

/** What is below a microsecond is cut towards zero, as Spark cuts it. @throws `cast-failed` */
export function seconds(value: unknown): EventTime {
  if (typeof value !== "number" || Number.isInteger(value)) return toEventTime(Number(value) * 1000);
  const micros = Math.trunc(value * 1_000_000);
  return Number.isSafeInteger(micros) ? toEventTime(exactInstant(0, micros)) : toEventTime(Number.NaN);
}

function toInteger(value: unknown, from: DataType, type: DataType, min: bigint, max: bigint): number | bigint {
  const exact = isTimestamp(from) ? BigInt(Math.floor((value as EventTime) / 1000)) : integerOf(value, type);
  if (exact < min || exact > max) throw castFailed(value, type);
  return longValue(exact);
}

function integerOf(value: unknown, type: DataType): bigint {
  if (typeof value === "bigint" || isIntegral(value)) return BigInt(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number" && Number.isFinite(value)) return BigInt(Math.trunc(value));
  const integer = typeof value === "string" ? integerOfText(trimmed(value)) : undefined;
  if (integer === undefined) throw castFailed(value, type);
  return integer;
}

/** @throws `cast-failed`: NaN in its place would spread through every sum that it enters */
export function toDouble(value: unknown): number {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  const number = typeof value === "string" ? doubleOfText(value) : undefined;
  if (number === undefined) throw castFailed(value, "double");
  return number;
}

function toBoolean(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "number" || typeof value === "bigint") return Number(value) !== 0;
  const text = typeof value === "string" ? trimmed(value).toLowerCase() : "";
  if (["t", "true", "y", "yes", "1"].includes(text)) return true;
  if (["f", "false", "n", "no", "0"].includes(text)) return false;
  throw castFailed(value, "boolean");
}

/**
 * What a json column may hold as event time (DATA.md section 1): text, a Date, epoch milliseconds, as a declared column takes them.
 * Undefined: none of these; one number beyond the calendar would push the watermark past every row to come.
 */
export const eventTimeValue: (value: unknown) => EventTime | undefined = timestampReader();

/** A json value that is compared with a timestamp is one itself; NULL if it is no time. */
export const asTime =
  (evaluate: Evaluator): Evaluator =>
  (row, right) =>
    eventTimeValue(evaluate(row, right)) ?? null;

/** Of a value that was computed too: a window may end, and a shifted time lie, past the last event time. */
export function toEventTime(value: unknown): EventTime {
  const time = typeof value === "number" && isInstant(value) ? canonical(value) : eventTimeValue(value);
  if (time === undefined) throw castFailed(value, "timestamp");
  return time;
}

export function textOf(value: unknown, type: DataType): string {
  if (isTimestamp(type)) return timestampText(value as EventTime);
  if (typeof value === "object")
    return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}` : part));
  return type === "double" ? doubleText(Number(value)) : String(value);
}

/** As Spark prints a timestamp in UTC, without trailing zeros in the fraction. */
function timestampText(time: EventTime): string {
  const second = Math.floor(time / 1000);
  const inSecond = Math.round((time - second * 1000) * 1000);
  const whole = new Date(second * 1000).toISOString().slice(0, 19).replace("T", " ");
  return inSecond === 0 ? whole : `${whole}.${String(inSecond).padStart(6, "0").replace(/0+$/, "")}`;
}
