import { userError } from "../errors.js";
import { closestName } from "./closest-name.js";

/**
 * For those whom no compiler tells: a misspelt option would be taken for one that was left out.
 * @throws `option-unknown`
 */
export function requireKnown(of: string, given: object, known: Readonly<Record<string, unknown>>): void {
  const unknown = Object.entries(given).find(
    ([name, value]) => value !== undefined && !Object.hasOwn(known, name),
  )?.[0];
  if (unknown === undefined) return;
  const names = Object.keys(known);
  const closest = closestName(unknown, names);
  const instead = names.length === 0 ? "it takes none" : `or write one of ${names.join(", ")}`;
  throw userError(
    "option-unknown",
    `${of} has no option '${unknown}'.`,
    closest === undefined ? `Leave it out, ${instead}.` : `Write '${closest}'.`,
  );
}
