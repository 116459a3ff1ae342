import { access } from "node:fs/promises";
import { isQuery, type Query } from "../api/query.js";
import { userError } from "../errors.js";
import { importQueryFile } from "./bundle.js";
import { UsageError } from "./command.js";

/** The query that a file exports; `name` decides where it exports several. */
export async function loadQuery(file: string | undefined, name: string | undefined): Promise<Query> {
  if (file === undefined) throw new UsageError("Name a file that exports a query.");
  await access(file).catch(() => {
    throw userError("query-file-missing", `There is no file '${file}'.`, "Name a TypeScript or JavaScript file.");
  });
  const queries = new Set(Object.values(await importQueryFile(file)).filter(isQuery));
  const names = [...queries].map(({ definition }) => definition.queryName);
  const found = [...queries].filter(({ definition }) => name === undefined || definition.queryName === name);
  if (found.length === 1) return found[0]!;
  if (queries.size === 0) {
    throw userError("query-not-exported", `'${file}' exports no query.`, "Export what writeStream() returns.");
  }
  throw userError(
    "query-ambiguous",
    `'${file}' exports ${names.join(", ")}.`,
    name === undefined ? "Choose one with --query NAME." : `None of them is '${name}'.`,
  );
}
