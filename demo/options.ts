import { parseArgs } from "node:util";

export interface DemoOptions {
  /** How many page views and flights are published. */
  readonly pageViews: number;
  readonly flights: number;
  readonly batchSize: number;
  /** State partitions of each query. */
  readonly partitions: number;
  /** Keeps streams, checkpoints and results here; a stopped run goes on. */
  readonly dataDir: string | null;
  /** Serve the live page; `linger`: also after the jobs have ended, until interrupted. */
  readonly page: boolean;
  readonly linger: boolean;
  /** `page-views`, `flights`, or both. */
  readonly jobs: ReadonlySet<string>;
}

export const USAGE = `npm start -- [options]

  --all             all 3,000,000 flights instead of 60,000
  --flights N       so many flights
  --page-views N    so many page views (6,000)
  --only JOB        page-views or flights alone
  --batch-size N    records per micro-batch (1,000); it decides which rows are late
  --partitions N    so many state partitions (1), behind a stream of the query's own
  --data DIR        keep everything in DIR: stopped at any moment and started again, it goes on
  --no-page         without the live page
  --linger          keep the page after the jobs have ended, until interrupted
  --help

Examples
  npm start
  npm start -- --linger
  npm start -- --only flights --all --batch-size 10000
  npm start -- --partitions 4
  npm start -- --data .tidemark/demo
`;

const JOBS = ["page-views", "flights"];

/** Null: help was asked for. Throws an Error with a sentence for what it does not understand. */
export function readOptions(args: readonly string[]): DemoOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      all: { type: "boolean", default: false },
      flights: { type: "string", default: "60000" },
      "page-views": { type: "string", default: "6000" },
      "batch-size": { type: "string", default: "1000" },
      partitions: { type: "string", default: "1" },
      only: { type: "string" },
      data: { type: "string" },
      "no-page": { type: "boolean", default: false },
      linger: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  if (values.only !== undefined && !JOBS.includes(values.only)) throw new Error(`--only takes ${JOBS.join(" or ")}.`);
  return {
    pageViews: count("--page-views", values["page-views"]),
    flights: values.all ? 3_000_000 : count("--flights", values.flights),
    batchSize: count("--batch-size", values["batch-size"]),
    partitions: count("--partitions", values.partitions),
    dataDir: values.data ?? null,
    page: !values["no-page"],
    linger: values.linger,
    jobs: new Set(values.only === undefined ? JOBS : [values.only]),
  };
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} takes a whole number above 0, not ${text}.`);
  return value;
}
