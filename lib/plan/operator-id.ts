import { userError } from "../errors.js";

/** FNV-1a over UTF-16 units: short, stable for ever, and no secret to keep. */
function hash(text: string): string {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}

const EXPLICIT = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/**
 * The explicit id, else `kind:hash of the keys`; the colon tells the two apart. Equal ones get an ordinal when the
 * query is defined (`assign-operator-ids`). Never a position in the plan: an added branch must not orphan state.
 * @throws `operator-id`
 */
export function operatorId(explicit: string | undefined, kind: string, keys: readonly string[]): string {
  if (explicit === undefined) return `${kind}:${hash(keys.join("\u0000"))}`;
  if (EXPLICIT.test(explicit)) return explicit;
  throw userError(
    "operator-id",
    `'${explicit}' cannot be an operator's id.`,
    "Use a letter, then letters, digits, '.', '_' or '-', 64 characters at most.",
  );
}

export const isImplicitId = (id: string): boolean => id.includes(":");
