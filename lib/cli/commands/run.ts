import { stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { systemClock } from "../../runtime/clock.js";
import { sourcesOf } from "../../runtime/query-sources.js";
import { type Command, EXIT } from "../command.js";
import { fileAndInputs } from "../file-and-inputs.js";
import { requireUnused } from "../file-sink.js";
import { withFileSources } from "../file-sources.js";
import { givenOptions } from "../given-options.js";
import { type Inputs, readInputs } from "../inputs.js";
import { loadQuery } from "../load-query.js";
import { progressBar } from "../progress-bar.js";
import { refuseLateOutput } from "../refuse-late-output.js";
import { claimDirectory, directoryCheckpoint, memoryCheckpoint } from "../run-checkpoint.js";
import { runFiles } from "../run-files.js";
import { openRunSinks } from "../run-sinks.js";
import { addProgress, NOTHING_RUN, summaryText } from "../run-summary.js";
import { runTroubles } from "../run-troubles.js";
import { readTableFiles, tableFileReader } from "../table-files.js";
import { wholeNumber } from "../whole-number.js";

const HELP = `tidemark run QUERY_FILE --input FILE…

Runs a query over files, as fast as they can be read: for backfills, trials and tests.
Files are read in the given order: .csv, .tsv, .parquet, anything else as JSON lines; .gz is inflated.

  --input FILE…        files for the query's source; NAME=FILE where it has several
  --table NAME=FILE    the rows of a fixed table that the query reads from S3 or DynamoDB, in a file
  --option NAME=VALUE  how files are read, by the names of Spark's readers (sep, quote, escape, header, nullValue,
                       encoding, timestampFormat, comment, …); once for each
  --query NAME         which query, where the file exports several
  --batch-size N       records per micro-batch and source, 10,000 by default; it decides which rows are late
  --output DIR         result.jsonl, late.jsonl and malformed.jsonl there, instead of the terminal
  --sink own           results go to the query's own sink, in AWS or at AWS_ENDPOINT_URL
  --bucket NAME        for an s3() sink that names no bucket; TIDEMARK_BUCKET by default
  --checkpoint DIR     keeps state and position there: run again, it goes on; new files go behind the old ones
  --drain              closes what is open when all is read; after that the checkpoint takes no more rows
  --rows N             rows of a table that are shown per micro-batch: 20 on a terminal, otherwise all
  --strict             exit code 3 when anything did not land: malformed, late or filtered out
  --json               results, late rows and malformed records as JSON lines, then the summary

Exit codes: 0 all is well, 1 it failed, 2 the command line cannot be understood, 3 it ran to its end but nothing or
nearly nothing landed, or a file lacks a declared column.

Examples
  tidemark run functions/page-views.ts --input views.jsonl --drain
  tidemark run flights.ts --input 2001-*.parquet --batch-size 1000 --output out --checkpoint .flights
  tidemark run ad-clicks.ts --input impressions=i.jsonl --input clicks=c.csv.gz --json | jq .row
  tidemark run delays.ts --input delays.csv --option sep=';' --option nullValue=NA
  tidemark run with-section.ts --input views.jsonl --table pages=pages.csv
`;

const OPTIONS = {
  input: { type: "string", multiple: true },
  table: { type: "string", multiple: true },
  option: { type: "string", multiple: true },
  query: { type: "string" },
  "batch-size": { type: "string", default: "10000" },
  output: { type: "string" },
  sink: { type: "string" },
  bucket: { type: "string" },
  checkpoint: { type: "string" },
  drain: { type: "boolean", default: false },
  rows: { type: "string" },
  strict: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

export const runCommand: Command = {
  name: "run",
  summary: "a query over files: backfills and trials",
  help: HELP,
  async run(args, terminal) {
    const { values, tokens } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
      tokens: true,
    });
    const batchSize = wholeNumber("--batch-size", values["batch-size"]);
    const [file, given] = fileAndInputs(tokens);
    const query = await loadQuery(file, values.query);
    const options = givenOptions(values.option ?? []);
    const definition = withFileSources(query.definition, options);
    const { queryName } = definition;
    const inputs = readInputs(given, sourcesOf(definition.plan));
    await refuseLateOutput(inputs, sourcesOf(definition.plan));
    const tables = readTableFiles(values.table ?? [], definition.plan);
    const clock = systemClock;
    const totalBytes = await plainBytes(inputs);
    if (values.checkpoint !== undefined) await claimDirectory(values.checkpoint, queryName, inputs);
    else if (values.output !== undefined) await requireUnused(values.output);

    const bar = progressBar(terminal.stderr);
    terminal.stderr.write(
      `${queryName}: micro-batches of ${batchSize.toLocaleString("en")} records; their size decides which rows are late\n`,
    );
    const started = clock.now();
    const troubles = runTroubles();
    const { sinks, formerSink } = await openRunSinks(query.definition, values, terminal, bar.clear);
    let summary = NOTHING_RUN(queryName);
    let read = 0;
    await runFiles({
      definition,
      inputs,
      readTable: tableFileReader(tables, options),
      checkpoint:
        values.checkpoint === undefined
          ? memoryCheckpoint(clock.now)
          : directoryCheckpoint(values.checkpoint, clock.now),
      sinks: { ...sinks, malformed: troubles.counting(sinks.malformed) },
      formerSink,
      batchSize,
      drain: values.drain,
      clock,
      onColumns: troubles.sawColumns,
      onRead(bytes) {
        read += bytes;
      },
      onProgress(progress) {
        summary = addProgress(summary, progress);
        for (const warning of progress.eventTimeWarnings ?? []) troubles.warn(warning);
        const text = `${summary.records.toLocaleString("en")} records, ${summary.late.toLocaleString("en")} late, watermark ${summary.watermark ?? "none"}`;
        bar.show(totalBytes === null ? null : read / totalBytes, text);
      },
    });
    bar.clear();
    if (values.json) terminal.stdout.write(`${JSON.stringify({ summary })}\n`);
    terminal.stderr.write(summaryText(summary, (clock.now() - started) / 1000, values.drain));
    terminal.stderr.write(troubles.text(summary));
    if (values.output !== undefined) terminal.stderr.write(`  written to ${values.output}\n`);
    return troubles.isAmiss(summary, values.strict) ? EXIT.amiss : EXIT.ok;
  },
};

/** Of all inputs, if what is read of them is what stands in them; compressed and columnar ones tell nothing. */
async function plainBytes(inputs: Inputs): Promise<number | null> {
  const paths = [...inputs.values()].flat();
  if (paths.some((path) => /\.(gz|csv|parquet)$/i.test(path))) return null;
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
