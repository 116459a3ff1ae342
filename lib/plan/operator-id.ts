import { userError } from "../errors.js";

/** FNV-1a over UTF-16 units: short, stable for ever, and no secret to keep. */
export function hashOf(text: string): string {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}

const EXPLICIT = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
/** Asks for the state of one of several operators that a former version told apart by their order. */
const BY_ORDER = /^([A-Za-z]+:[0-9a-f]{8})#([1-9][0-9]?)$/;

/**
 * The explicit id, else `kind:hash of the keys`; the colon tells the two apart. What tells equal ones apart is settled when the
 * query is defined (`assign-operator-ids`). Never a position in the plan: an added branch must not orphan state.
 * @throws `operator-id`
 */
export function operatorId(explicit: string | undefined, kind: string, keys: readonly string[]): string {
  if (explicit === undefined) return `${kind}:${hashOf(keys.join("\u0000"))}`;
  if (EXPLICIT.test(explicit) || BY_ORDER.test(explicit)) return explicit;
  throw userError(
    "operator-id",
    `'${explicit}' cannot be an operator's id.`,
    "Use a letter, then letters, digits, '.', '_' or '-', 64 characters at most.",
  );
}

/** Neither given by the user nor taken over by its former name. */
export const isImplicitId = (id: string): boolean => id.includes(":") && !BY_ORDER.test(id);

/** `kind:hash of the keys` of an implicit id, whatever tells it from its equals. */
export const baseOf = (id: string): string => id.replace(/[.#-].*$/, "");

/** The stored id that `…#1` or `…#2` asks for: `…` or `…-2`, for the first of a former version's equals had no ordinal. */
export function formerId(id: string): string {
  const [, base, ordinal] = BY_ORDER.exec(id) ?? [];
  return base === undefined ? id : ordinal === "1" ? base : `${base}-${ordinal}`;
}
