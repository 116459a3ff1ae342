import { userError } from "../../errors.js";
import { requireKnown } from "../known-options.js";
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
  const { kind: _, ...given } = connector as { readonly kind: string; readonly [option: string]: unknown };
  requireKnown(`The ${what} '${kind}'`, given, options);
  const missing = Object.keys(options).find((name) => options[name] === "required" && given[name] === undefined);
  if (missing !== undefined)
    throw userError("option-missing", `The ${what} '${kind}' needs its option '${missing}'.`, "Give it.");
}
