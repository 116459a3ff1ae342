import { userError } from "../../errors.js";

/** A column of 64 levels fits, with some of the user's around it; less than what the row codec takes. */
const MAX_DEPTH = 80;

/**
 * A copy of what user code hands to state, or of what state hands to user code, so that neither can change the other's.
 * Takes what the row codec takes (DATA.md section 6); a property that is undefined is absent. Refuses the rest with its path.
 */
export function copyStored<T>(value: T): T {
  return copy(value, "", 0) as T;
}

function copy(value: unknown, path: string, depth: number): unknown {
  if (value === null) return null;
  switch (typeof value) {
    case "boolean":
    case "number":
    case "bigint":
    case "string":
      return value;
    case "object":
      if (depth >= MAX_DEPTH) throw refuse(path, `A value nested deeper than ${MAX_DEPTH}`);
      return copyObject(value, path, depth);
    default:
      throw refuse(path, `A value of type ${typeof value}`);
  }
}

function copyObject(value: object, path: string, depth: number): unknown {
  if (Array.isArray(value)) return Array.from(value, (item, i) => copy(item, `${path}[${i}]`, depth + 1));
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw refuse(path, `An instance of ${prototype.constructor?.name ?? "a class"}`);
  }
  const result: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    if (name === "__proto__") throw refuse(path, "A property named __proto__");
    result[name] = copy(item, path === "" ? name : `${path}.${name}`, depth + 1);
  }
  return result;
}

const refuse = (path: string, what: string) =>
  userError(
    "state-value-unsupported",
    `${what} at ${path === "" ? "the top" : path} cannot be stored.`,
    "Keep null, boolean, number, bigint, string, Date, Uint8Array, arrays and plain objects in state.",
  );
