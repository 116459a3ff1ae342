import type { Expression } from "../plan/expression.js";
import type { JoinCondition, Side } from "../plan/join-condition.js";
import type { Row } from "../plan/schema.js";
import { encodeKey } from "../state/key-codec.js";
import { type EventTime, type Micros, toMicros } from "../time/event-time.js";
import { isWindow } from "../time/window.js";

/** Makes an expression of a join's `on` callable; one that reads one side alone is called with an empty row for the other. */
export type CompilePair = (expression: Expression) => (left: Row, right: Row) => unknown;

/** How a row of one side is looked up, stored and evicted. */
export interface Probe {
  readonly prefix: string;
  /** False: a key is NULL, so the row matches nothing. */
  readonly comparable: boolean;
  /** When the row may go, in the watermark's µs; null: never. */
  readonly expiry: Micros | null;
}

export interface JoinSide {
  /** Null where the side has no watermark or the row no time: never late. */
  eventTime(row: Row): EventTime | null;
  /** Whether the conjuncts on this side alone hold; a row that fails them matches nothing. */
  mayMatch(row: Row): boolean;
  probe(row: Row): Probe;
}

const NOTHING: Row = Object.freeze({});

/** The instant that decides lateness and eviction: a timestamp itself, a window's end. */
const instant = (value: unknown): EventTime | null => {
  if (typeof value === "number") return value;
  return isWindow(value) ? value.end : null;
};

export function joinSide(
  side: Side,
  condition: JoinCondition,
  timeColumn: string | undefined,
  compile: CompilePair,
): JoinSide {
  const onRow = (expression: Expression) => {
    const evaluate = compile(expression);
    return side === "left" ? (row: Row) => evaluate(row, NOTHING) : (row: Row) => evaluate(NOTHING, row);
  };
  const keys = condition.keys.map((key) => onRow(key[side]));
  const types = condition.keys.map((key) => key.type);
  const own = condition.own[side].map(onRow);
  const retentionMs = condition.retentionMs[side];
  const { timeKey } = condition;

  const eventTime = (row: Row) => (timeColumn === undefined ? null : instant(row[timeColumn]));

  const expiry = (row: Row, values: readonly unknown[]): Micros | null => {
    if (retentionMs === null) return null;
    const time = timeKey === null ? eventTime(row) : instant(values[timeKey]);
    return time === null ? null : toMicros(time) + retentionMs * 1000;
  };

  return {
    eventTime,
    mayMatch: (row) => own.every((holds) => holds(row) === true),
    probe(row) {
      const values = keys.map((key) => key(row));
      const comparable = values.every(
        (value, i) => (value !== null && value !== undefined) || condition.keys[i]!.nullSafe,
      );
      return { prefix: encodeKey(values, types), comparable, expiry: expiry(row, values) };
    },
  };
}
