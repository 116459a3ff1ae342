import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { type App, CfnOutput, Stack, Tags } from "aws-cdk-lib";
import { isQuery } from "../lib/api/query.js";
import { userError } from "../lib/errors.js";
import { HANDLED_QUERY } from "../lib/lambda/query-handler.js";
import { StreamingQuery, type StreamingQueryProps } from "./streaming-query.js";

/** Props of the construct that are the same for all queries of an app. */
export interface QuerySettings {
  readonly query?: Partial<Omit<StreamingQueryProps, "query" | "entry">>;
}

/**
 * One stack for the query of one file: deployed, changed and removed alone. `functions/page-views.ts` becomes `TidemarkPageViews`.
 * @example await queryStack(app, "functions/page-views.ts")
 * @throws `query-file-invalid` unless the file exports one query; `handler-missing`, `handler-of-another-query`
 */
export async function queryStack(app: App, entry: string, settings: QuerySettings = {}): Promise<Stack> {
  const module = (await import(pathToFileURL(entry).href)) as Readonly<Record<string, unknown>>;
  const exported = Object.values(module).filter(isQuery);
  const [query] = exported;
  if (query === undefined || exported.length > 1)
    throw userError(
      "query-file-invalid",
      `${entry} exports ${exported.length} queries.`,
      "Export one query, and its handler, per file.",
    );
  const { queryName } = query.definition;
  requireHandler(entry, module["handler"], queryName);
  const stack = new Stack(app, `Tidemark${pascalCase(basename(entry, ".ts"))}`, { description: queryName });
  const deployed = new StreamingQuery(stack, "Query", { query, entry, ...settings.query });
  const outputs = {
    QueryName: queryName,
    FunctionName: deployed.function.functionName,
    LogGroupName: deployed.function.logGroup.logGroupName,
    TableName: deployed.storage.table.tableName,
    BucketName: deployed.storage.bucket.bucketName,
  };
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
  Tags.of(stack).add("tidemark", queryName);
  return stack;
}

/** Lambda would find out at the first record, and call every batch failed. */
function requireHandler(entry: string, handler: unknown, queryName: string): void {
  if (typeof handler !== "function")
    throw userError(
      "handler-missing",
      `${entry} exports no function 'handler'.`,
      "Add: export const handler = queryHandler(query).",
    );
  const handled = (handler as { readonly [HANDLED_QUERY]?: string })[HANDLED_QUERY];
  if (handled === undefined || handled === queryName) return;
  throw userError(
    "handler-of-another-query",
    `The handler of ${entry} is that of '${handled}', and the query is '${queryName}'.`,
    "Give queryHandler() the query that the file exports.",
  );
}

const pascalCase = (name: string): string =>
  name.replace(/(^|[^a-z0-9]+)([a-z0-9])/gi, (_, _separator, letter: string) => letter.toUpperCase());
