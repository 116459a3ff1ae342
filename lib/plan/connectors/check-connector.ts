import { userError } from "../../errors.js";
import { closestName } from "../closest-name.js";
import { SINKS, SOURCES, TABLES } from "./catalogue.js";

type Options = Readonly<Record<string, "required" | "optional">>;

const CATALOGUES: Readonly<
  Record<"source" | "sink" | "table", Readonly<Record<string, { readonly options: Options }>>>
> = { source: SOURCES, sink: SINKS, table: TABLES };

/**
 * For those whom no compiler tells: a misspelt option would be taken for one that was left out.
 * @throws `connector-unknown`, `option-unknown`, `option-missing`
 */
export function checkConnector(what: keyof typeof CATALOGUES, connector: { readonly kind: string } | undefined): void {
  const catalogue = CATALOGUES[what];
  if (connector === undefined || !Object.hasOwn(catalogue, connector.kind))
    throw userError(
      "connector-unknown",
      `There is no ${what} of kind '${connector?.kind}'.`,
      `A ${what} is one of ${Object.keys(catalogue).join(", ")}.`,
    );
  const { kind } = connector;
  const { options } = catalogue[kind]!;
  const given = Object.entries(connector).flatMap(([name, value]) =>
    name === "kind" || value === undefined ? [] : [name],
  );
  const unknown = given.find((name) => !Object.hasOwn(options, name));
  if (unknown !== undefined)
    throw userError("option-unknown", `The ${what} '${kind}' has no option '${unknown}'.`, remedy(unknown, options));
  const missing = Object.keys(options).find((name) => options[name] === "required" && !given.includes(name));
  if (missing !== undefined)
    throw userError("option-missing", `The ${what} '${kind}' needs its option '${missing}'.`, "Give it.");
}

function remedy(unknown: string, options: Options): string {
  const names = Object.keys(options);
  const closest = closestName(unknown, names);
  if (closest !== undefined) return `Write '${closest}'.`;
  return names.length === 0 ? "Leave it out: it takes none." : `Leave it out, or write one of ${names.join(", ")}.`;
}
