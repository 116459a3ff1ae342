import { userError } from "../errors.js";

/** Java's flags that JavaScript has too. */
const FLAGS: Readonly<Record<string, string>> = { i: "i", s: "s", m: "m", u: "" };

/**
 * A regular expression in JavaScript's syntax, by code points; Java's flags may stand before it, as in `(?i)error`.
 * @throws `regexp-invalid`
 */
export function regularExpression(source: string): RegExp {
  const flags = /^\(\?([a-zA-Z]+)\)/.exec(source);
  const letters = [...(flags?.[1] ?? "")];
  const unknown = letters.find((letter) => !Object.hasOwn(FLAGS, letter));
  if (unknown !== undefined) throw invalid(source, `the flag '${unknown}' has no counterpart in JavaScript`);
  const pattern = source.slice(flags?.[0].length ?? 0);
  const inner = /\(\?[a-zA-Z-]+[):]/.exec(pattern.replace(/\\./g, ""));
  if (inner !== null) throw invalid(source, `'${inner[0]}' stands inside; flags may only stand before the pattern`);
  try {
    return new RegExp(pattern, `u${[...new Set(letters.map((letter) => FLAGS[letter]))].join("")}`);
  } catch (cause) {
    throw invalid(source, cause instanceof Error ? cause.message.replace(/^.*: /, "") : "it does not parse", cause);
  }
}

const invalid = (source: string, why: string, cause?: unknown) =>
  userError(
    "regexp-invalid",
    `'${source}' is not a regular expression: ${why}.`,
    "Write it in JavaScript's syntax (flag u), with flags in front if there are some, as in '(?i)error'.",
    cause,
  );
