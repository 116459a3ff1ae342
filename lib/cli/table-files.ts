import { Buffer } from "node:buffer";
import type { FileOptions } from "../plan/connectors/file-options.js";
import type { LogicalNode, StaticNode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { isKind, nodesUpwards } from "../plan/walk.js";
import type { StoredTable } from "../runtime/open-streaming-query.js";
import { fileBatches } from "../sources/files.js";
import { decodeTableRows, tableRow } from "../sources/table-lines.js";
import { UsageError } from "./command.js";

/** The query's fixed tables that are not part of it: files stand in for them. */
const tablesElsewhere = (plan: LogicalNode): readonly StaticNode[] =>
  nodesUpwards(plan)
    .filter(isKind("static"))
    .filter(({ descriptor }) => descriptor.kind !== "table");

/** `NAME=FILE` for each table in S3 or DynamoDB, so that a run needs no AWS. */
export function readTableFiles(given: readonly string[], plan: LogicalNode): ReadonlyMap<string, string> {
  const tables = tablesElsewhere(plan);
  const files = new Map<string, string>();
  for (const text of given) {
    const table = tables.find(({ name }) => text.startsWith(`${name}=`));
    if (table === undefined) {
      const names = tables.map(({ name }) => name).join(" and ");
      throw new UsageError(
        names === "" ? "The query reads no table from elsewhere." : `Write --table NAME=FILE, for ${names}.`,
      );
    }
    files.set(table.name, text.slice(table.name.length + 1));
  }
  for (const { name, descriptor } of tables)
    if (!files.has(name))
      throw new UsageError(`The table ${name} stands in ${descriptor.kind}: give its rows, --table ${name}=FILE.`);
  return files;
}

/** Formats are those of inputs; a row that does not fit stops the run (`table-row`). */
export const tableFileReader =
  (files: ReadonlyMap<string, string>, options: FileOptions = {}) =>
  async ({ name, schema }: StoredTable): Promise<readonly Row[]> => {
    const lines: string[] = [];
    for await (const records of fileBatches({ paths: [files.get(name)!], schema, options, batchSize: 10_000 }))
      for (const { data, malformed } of records) {
        if (malformed !== undefined) throw tableRow(name, lines.length, malformed.detail);
        lines.push(Buffer.from(data).toString("utf8"));
      }
    return decodeTableRows(name, lines, schema);
  };

/** The rows of all fixed tables of a plan, by name. */
export async function loadTables(
  plan: LogicalNode,
  files: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const read = tableFileReader(files);
  const tables = new Map<string, readonly Row[]>();
  for (const { name, schema, descriptor } of nodesUpwards(plan).filter(isKind("static")))
    tables.set(name, descriptor.kind === "table" ? descriptor.rows : await read({ name, schema, descriptor }));
  return tables;
}
