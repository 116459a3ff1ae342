import type { Expression } from "../plan/expression.js";
import type { JoinCondition, Side } from "../plan/join-condition.js";
import type { Row } from "../plan/schema.js";
import { encodeKey } from "../state/key-codec.js";
import { type Micros, toMicros } from "../time/event-time.js";
import { isWindow } from "../time/window.js";
import { boundOf, type EventTimeColumn } from "./event-time-column.js";

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
  /** Whether the conjuncts on this side alone hold; a row that fails them matches nothing. */
  mayMatch(row: Row): boolean;
  probe(row: Row): Probe;
}

const NOTHING: Row = Object.freeze({});

/** Of a key that compares times: the timestamp itself, or the window's end. */
const boundOfKey = (value: unknown): Micros | null => {
  if (typeof value === "number") return toMicros(value);
  return isWindow(value) ? toMicros(value.end) : null;
};

export function joinSide(
  side: Side,
  condition: JoinCondition,
  eventTime: EventTimeColumn | null,
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

  const expiry = (row: Row, values: readonly unknown[]): Micros | null => {
    if (retentionMs === null) return null;
    const ofRow = eventTime === null ? null : boundOf(eventTime, row);
    const bound = timeKey === null ? ofRow : boundOfKey(values[timeKey]);
    return bound === null ? null : bound + retentionMs * 1000;
  };

  return {
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
