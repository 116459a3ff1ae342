import { parseDelay } from "../time/duration.js";
import { parseIsoTimestamp } from "../time/iso-timestamp.js";
import { UsageError } from "./command.js";
import type { EventTimeRange } from "./watermark-delays.js";

export const RUN_HELP = `tidemark run QUERY_FILE --input FILE…

Runs a query over files, as fast as they can be read: for backfills, trials and tests.
Files are read in the given order: .csv, .tsv, .parquet, anything else as JSON lines; .gz is inflated; - is standard input.

  --input FILE…        files for the query's source; NAME=FILE where it has several
  --table NAME=FILE    the rows of a fixed table that the query reads from S3 or DynamoDB, in a file
  --option NAME=VALUE  how files are read, by the names of Spark's readers (sep, quote, escape, header, nullValue,
                       encoding, timestampFormat, comment, …); once for each
  --query NAME         which query, where the file exports several
  --batch-size N       records per micro-batch and source, 10,000 by default; it decides which rows are late
  --exact              no row is late: reads the files twice, first to find the delay that they need, and closes all at the end
  --from TIME          only events from this time on, and with --until before that one: 2024-03-01, 2024-03-01T12:30:00Z
  --until TIME
  --delays D,D…        compares delays instead: late rows, state and latency of each; 5m,10m,1h
  --output DIR         result.jsonl, late.jsonl and malformed.jsonl there, instead of the terminal
  --sink own           results go to the query's own sink, in AWS or at AWS_ENDPOINT_URL
  --bucket NAME        for an s3() sink that names no bucket; TIDEMARK_BUCKET by default
  --checkpoint DIR     keeps state and position there: run again, it goes on; new files go behind the old ones
  --drain              closes what is open when all is read; after that the checkpoint takes no more rows
  --rows N             rows of a table that are shown per micro-batch: 20 on a terminal, otherwise 1,000
  --strict             exit code 3 when anything did not land: malformed, late or filtered out
  --json               results, late rows and malformed records as JSON lines, then the summary

Exit codes: 0 all is well, 1 it failed, 2 the command line cannot be understood, 3 it ran to its end but nothing or
nearly nothing landed, or a file lacks a declared column, 130 interrupted.

Examples
  tidemark run functions/page-views.ts --input demo/views.jsonl --drain
  tidemark run flights.ts --input 2001-*.parquet --batch-size 1000 --output out --checkpoint .flights
  tidemark run flights.ts --input 2001-*.parquet --exact --from 2001-03-01 --until 2001-04-01 --output march
  tidemark run flights.ts --input 2001-*.parquet --delays 30m,139m,5h
  tidemark run ad-clicks.ts --input impressions=i.jsonl --input clicks=c.csv.gz --json | jq .row
  tidemark run delays.ts --input delays.csv --option sep=';' --option nullValue=NA
  tidemark run with-section.ts --input demo/views.jsonl --table pages=pages.csv
`;

export const RUN_OPTIONS = {
  input: { type: "string", multiple: true },
  table: { type: "string", multiple: true },
  option: { type: "string", multiple: true },
  query: { type: "string" },
  "batch-size": { type: "string", default: "10000" },
  exact: { type: "boolean", default: false },
  from: { type: "string" },
  until: { type: "string" },
  delays: { type: "string", multiple: true },
  output: { type: "string" },
  sink: { type: "string" },
  bucket: { type: "string" },
  checkpoint: { type: "string" },
  drain: { type: "boolean", default: false },
  rows: { type: "string" },
  strict: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

/** `5m,10m,1h`, once or several times, in ms. */
export const delaysOf = (given: readonly string[] | undefined): readonly number[] =>
  (given ?? []).flatMap((text) => text.split(",")).map(parseDelay);

export function eventTimeRange(from: string | undefined, until: string | undefined): EventTimeRange {
  const time = (option: string, text: string | undefined): number | null => {
    if (text === undefined) return null;
    const value = parseIsoTimestamp(text);
    if (Number.isNaN(value))
      throw new UsageError(`${option} takes a time such as 2024-03-01T12:30:00Z, not '${text}'.`);
    return value;
  };
  return { from: time("--from", from), until: time("--until", until) };
}
