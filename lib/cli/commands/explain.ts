import { parseArgs } from "node:util";
import { type Command, EXIT } from "../command.js";
import { loadQuery } from "../load-query.js";

const HELP = `tidemark explain QUERY_FILE

Prints a query's plan: watermark columns, state keys, what evicts them, expected state and latency, warnings.

  --query NAME   which query, where the file exports several
  --json         the definition and its warnings as JSON

Examples
  tidemark explain functions/page-views.ts
  tidemark explain queries.ts --query ad-clicks --json | jq .warnings
`;

export const explainCommand: Command = {
  name: "explain",
  summary: "a query's plan, its state and its latency, and what to beware of",
  help: HELP,
  async run(args, { stdout }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { query: { type: "string" }, json: { type: "boolean", default: false } },
      allowPositionals: true,
    });
    const query = await loadQuery(positionals[0], values.query);
    const { functions: _, ...definition } = query.definition;
    stdout.write(
      values.json ? `${JSON.stringify({ ...definition, warnings: query.warnings })}\n` : `${query.explain()}\n`,
    );
    return EXIT.ok;
  },
};
