import { existsSync } from "node:fs";
import { userError } from "../errors.js";
import type { SourceNode } from "../plan/logical-plan.js";
import { STANDARD_INPUT } from "../sources/files.js";
import { UsageError } from "./command.js";

/** Files by the name of the source that they stand in for, in the order of reading. */
export type Inputs = ReadonlyMap<string, readonly string[]>;

/** `FILE` or `name=FILE`; an unnamed one belongs to the source named before it, else to the query's only one. */
export function readInputs(given: readonly string[], sources: readonly SourceNode[]): Inputs {
  const names = [...new Set(sources.map(({ name }) => name))];
  const inputs = new Map<string, string[]>(names.map((name) => [name, []]));
  let current = names.length === 1 ? names[0] : undefined;
  for (const text of given) {
    const named = names.find((name) => text.startsWith(`${name}=`));
    current = named ?? current;
    if (current === undefined) {
      throw new UsageError(`The query reads ${names.join(" and ")}: write --input NAME=FILE.`);
    }
    inputs.get(current)!.push(named === undefined ? text : text.slice(named.length + 1));
  }
  const missing = names.filter((name) => inputs.get(name)!.length === 0);
  if (missing.length > 0) throw new UsageError(`No --input is given for ${missing.join(" and ")}.`);
  for (const path of [...inputs.values()].flat())
    if (path !== STANDARD_INPUT && !existsSync(path))
      throw userError("input-missing", `There is no input file '${path}'.`, "Name files that exist, after --input.");
  return inputs;
}
