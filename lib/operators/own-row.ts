import type { Row } from "../plan/schema.js";

/**
 * A copy of a row for user code, which may change what it is given: the same decoded row runs again after a lost race, or when a function
 * threw at another row, and another branch of the plan may share it. Some 20 ns a column; more only for what nests.
 */
export function ownRow(row: Row): Row {
  const own: Row = {};
  for (const name of Object.keys(row)) own[name] = ownCopy(row[name]);
  return own;
}

/** Plain values are shared; instances of classes, which only a user's own schema makes, too. */
export function ownCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(ownCopy);
  if (value instanceof Date) return new Date(value.getTime());
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ownCopy(member)]));
}
