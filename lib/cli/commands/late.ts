import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Command, EXIT, UsageError } from "../command.js";
import { fileAndInputs } from "../file-and-inputs.js";
import { withFileSources } from "../file-sources.js";
import { givenOptions } from "../given-options.js";
import { type ReplaySummary, replayLateRows } from "../late/replay-late-rows.js";
import { openRevisions } from "../late/revisions.js";
import { loadQuery } from "../load-query.js";
import { outputLines } from "../output-lines.js";
import { bucketAndKey } from "../s3-address.js";
import { loadTables, readTableFiles } from "../table-files.js";

const HELP = `tidemark late replay QUERY_FILE --late PLACE --results PLACE

Folds late rows into the results that missed them. Corrected rows are written beside the originals, never over them, each with
its revision: of each window the highest revision counts. Killed or run again, it leaves the same files.

It is exact for count, sum, min, max, first, last, collectList, collectSet and bitAnd; for avg with sum and count of the same
column in the query, minBy with min, maxBy with max, countDistinct with collectSet. For others give the raw events: then the
windows that missed rows are computed anew from those.

  --late PLACE         late rows: a .jsonl or .jsonl.gz file, a folder of them, or s3://bucket/prefix
  --results PLACE      results of the same run, likewise; the folder of tidemark run --output serves for both
  --output PLACE       where corrected rows go: by default the folder corrected beside local results, PREFIX.corrected in S3
  --input FILE…        the raw events, where results do not tell what an aggregate was made of
  --option NAME=VALUE  how files are read, as for tidemark run
  --table NAME=FILE    the rows of a fixed table that the query reads from S3 or DynamoDB, in a file
  --query NAME         which query, where the file exports several
  --json               the summary as JSON

Examples
  tidemark late replay functions/flights.ts --late out --results out --input flights.jsonl
  tidemark late replay views.ts --late s3://data/views/views.late --results s3://data/views/views
`;

const OPTIONS = {
  late: { type: "string" },
  results: { type: "string" },
  output: { type: "string" },
  input: { type: "string", multiple: true },
  option: { type: "string", multiple: true },
  table: { type: "string", multiple: true },
  query: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

export const lateCommand: Command = {
  name: "late",
  summary: "late replay: corrected results beside the originals, from late rows",
  help: HELP,
  async run([action, ...args], { stdout, env }) {
    if (action !== "replay") throw new UsageError("The command is tidemark late replay.");
    const { values, tokens } = parseArgs({ args, options: OPTIONS, allowPositionals: true, tokens: true });
    const { late, results } = values;
    if (late === undefined || results === undefined) throw new UsageError("Give --late PLACE and --results PLACE.");
    const [file, inputs] = fileAndInputs(tokens);
    const definition = withFileSources(
      (await loadQuery(file, values.query)).definition,
      givenOptions(values.option ?? []),
    );
    const tables = await loadTables(definition.plan, readTableFiles(values.table ?? [], definition.plan));
    const output = values.output ?? (await besides(results));
    const summary = await replayLateRows(definition, {
      late: outputLines(late, "late", env),
      results: outputLines(results, "result", env),
      inputs,
      staticRows: (name) => tables.get(name)!,
      revisions: await openRevisions(output, env),
    });
    stdout.write(values.json ? `${JSON.stringify({ ...summary, output })}\n` : summaryText(summary, output));
    return EXIT.ok;
  },
};

async function besides(results: string): Promise<string> {
  if (bucketAndKey(results) !== null) return `${results.replace(/\/+$/, "")}.corrected`;
  const found = await stat(results).catch(() => null);
  return join(found?.isDirectory() === false ? dirname(results) : results, "corrected");
}

function summaryText({ lateRows, windows, withoutResult, revision, written }: ReplaySummary, output: string): string {
  const n = (value: number) => value.toLocaleString("en");
  const found = `${n(lateRows)} late rows belong to ${n(windows)} windows with their keys; ${n(withoutResult)} of these had no result.\n`;
  if (revision === null) return `${found}All of them are corrected already, in ${output}.\n`;
  return `${found}${n(written)} corrected rows are written to ${output} as revision ${revision}.\n`;
}
