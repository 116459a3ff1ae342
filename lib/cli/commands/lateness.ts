import { parseArgs } from "node:util";
import type { QueryDefinition } from "../../plan/logical-plan.js";
import { nodesUpwards } from "../../plan/walk.js";
import { sourcesOf } from "../../runtime/query-sources.js";
import { arrivalColumn, requireColumns } from "../arrival-column.js";
import { type Command, EXIT, UsageError } from "../command.js";
import { fileAndInputs } from "../file-and-inputs.js";
import { withFileSources } from "../file-sources.js";
import { givenOptions } from "../given-options.js";
import { readInputs } from "../inputs.js";
import { latenessText } from "../lateness-text.js";
import { loadQuery } from "../load-query.js";
import { measureFiles } from "../measure-files.js";
import { refuseLateOutput } from "../refuse-late-output.js";
import { delaysOf } from "../run-options.js";
import { loadTables, readTableFiles } from "../table-files.js";
import { timeColumnQuery } from "../time-column-query.js";
import { wholeNumber } from "../whole-number.js";

const HELP = `tidemark lateness QUERY_FILE --input FILE…
tidemark lateness --time COLUMN --input FILE…

Measures how late rows come, and what delay thresholds would cost and lose: to choose the delay of withWatermark().
With a query, late rows and state rows are those that tidemark run has with that delay over the same micro-batches.
Without one, a row counts as late when the watermark has reached its time.

  --input FILE…        files, read in the given order: .csv, .parquet, anything else as JSON lines; .gz is inflated
  --query NAME         which query, where the file exports several
  --time COLUMN        measure this column, without a query
  --arrival COLUMN     when a record arrived: a timestamp column, or "COLUMN + COLUMN minutes"; as it came, if not given
  --option NAME=VALUE  how files are read, as for tidemark run
  --table NAME=FILE    the rows of a fixed table that the query reads from S3 or DynamoDB, in a file
  --batch-size N       records per micro-batch, 10,000 by default; it decides which rows are late
  --delays D,D…        delays to weigh beside those that the data suggests: 5m,10m,1h
  --keep PERCENT       the share of rows that the recommended delay keeps, 99.9 by default
  --json               the report as JSON: delays and quantiles in milliseconds, shares between 0 and 1

Examples
  tidemark lateness functions/flights.ts --input flights.jsonl --arrival "scheduled + delay minutes"
  tidemark lateness --time eventTime --input views-*.jsonl.gz --delays 1m,5m,1h --keep 99.99
  tidemark lateness functions/page-views.ts --input demo/views.jsonl --batch-size 50 --json | jq .recommended
`;

const OPTIONS = {
  input: { type: "string", multiple: true },
  option: { type: "string", multiple: true },
  table: { type: "string", multiple: true },
  query: { type: "string" },
  time: { type: "string" },
  arrival: { type: "string" },
  "batch-size": { type: "string", default: "10000" },
  delays: { type: "string", multiple: true },
  keep: { type: "string", default: "99.9" },
  json: { type: "boolean", default: false },
} as const;

export const latenessCommand: Command = {
  name: "lateness",
  summary: "how late rows come, and what a delay would cost and lose",
  help: HELP,
  async run(args, { stdout }) {
    const { values, tokens } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true });
    const [file, given] = fileAndInputs(tokens, values.time === undefined);
    const arrival = values.arrival === undefined ? undefined : arrivalColumn(values.arrival);
    const definition =
      values.time === undefined
        ? withFileSources((await loadQuery(file, values.query)).definition, givenOptions(values.option ?? []))
        : withFileSources(timeColumnQuery(values.time, arrival?.columns ?? []), givenOptions(values.option ?? []));
    const inputs = readInputs(given, sourcesOf(definition.plan));
    await refuseLateOutput(inputs, sourcesOf(definition.plan));
    const paths = [...inputs.values()].flat();
    if (arrival !== undefined) requireColumns(arrival, sourcesOf(definition.plan)[0]!.schema);
    const tables = await loadTables(definition.plan, readTableFiles(values.table ?? [], definition.plan));
    const report = await measureFiles(definition, {
      paths,
      batchSize: wholeNumber("--batch-size", values["batch-size"]),
      delays: delaysOf(values.delays),
      keep: shareOf(values.keep),
      staticRows: (name) => tables.get(name)!,
      arrivalOf: arrival?.of,
      everyRow: values.time !== undefined,
    });
    const own = values.time === undefined ? ownDelay(definition) : null;
    stdout.write(values.json ? `${JSON.stringify(report)}\n` : latenessText(report, definition.queryName, own));
    return EXIT.ok;
  },
};

const ownDelay = ({ plan }: QueryDefinition): number | null =>
  nodesUpwards(plan).find((node) => node.kind === "withWatermark")?.delayMs ?? null;

function shareOf(text: string): number {
  const share = Number(text) / 100;
  if (share > 0 && share <= 1) return share;
  throw new UsageError(`--keep takes a percentage above 0, at most 100, not '${text}'.`);
}
