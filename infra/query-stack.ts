import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { type App, CfnOutput, Stack, Tags } from "aws-cdk-lib";
import { isQuery } from "../lib/api/query.js";
import { userError } from "../lib/errors.js";
import type { ExampleSettings } from "./example-settings.js";
import { StreamingQuery } from "./streaming-query.js";

/**
 * One stack for the query of one file: deployed, changed and removed alone. `functions/page-views.ts` becomes `TidemarkPageViews`.
 * @throws `query-file-invalid` unless the file exports one query
 */
export async function queryStack(app: App, entry: string, settings: ExampleSettings): Promise<Stack> {
  const exported = Object.values((await import(pathToFileURL(entry).href)) as object).filter(isQuery);
  const [query] = exported;
  if (query === undefined || exported.length > 1)
    throw userError(
      "query-file-invalid",
      `${entry} exports ${exported.length} queries.`,
      "Export one query, and its handler, per file.",
    );
  const { queryName } = query.definition;
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

const pascalCase = (name: string): string =>
  name.replace(/(^|[^a-z0-9]+)([a-z0-9])/gi, (_, _separator, letter: string) => letter.toUpperCase());
