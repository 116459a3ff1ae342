import type { Expression } from "../plan/expression.js";
import type { JoinCondition, PerSide, Side } from "../plan/join-condition.js";
import { resolveExpression } from "../plan/resolve.js";
import type { Row, Schema } from "../plan/schema.js";
import { encodeKey } from "../state/key-codec.js";
import { type Micros, toMicros } from "../time/event-time.js";
import { isWindow } from "../time/window.js";
import { asTime } from "./evaluate/cast.js";
import { compileExpression } from "./evaluate/evaluate.js";
import { boundOf, type EventTimeColumn } from "./event-time-column.js";

/** How a row of one side is looked up, stored and evicted. */
export interface Probe {
  readonly prefix: string;
  /** False: a key is NULL, so the row matches nothing. */
  readonly comparable: boolean;
  /** When the row may go, in the watermark's µs; null: never. */
  readonly expiry: Micros | null;
}

export interface ProbeSide {
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
  schemas: PerSide<Schema>,
): ProbeSide {
  const onRow = (expression: Expression) => {
    const evaluate = compileExpression(expression, schemas);
    return side === "left" ? (row: Row) => evaluate(row, NOTHING) : (row: Row) => evaluate(NOTHING, row);
  };
  const keys = condition.keys.map(({ type, [side]: key }) => {
    const isTime = type === "timestamp" && resolveExpression(key, schemas).type === "json";
    return isTime ? asTime(onRow(key)) : onRow(key);
  });
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
