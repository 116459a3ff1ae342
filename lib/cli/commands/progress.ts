import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { QueryProgress } from "../../runtime/progress.js";
import { type Command, EXIT, type TextOutput, UsageError } from "../command.js";
import { findStoredQuery, WHEREABOUTS, WHEREABOUTS_HELP } from "../stored-query.js";
import { tableLayout } from "../text-table.js";
import { wholeNumber } from "../whole-number.js";

const HELP = `tidemark progress QUERY_NAME

The last micro-batches of a query, deployed or run over files, up to 64 of them. It only reads.

${WHEREABOUTS_HELP}  --last N           so many of them, 10 by default
  --follow           print new ones as they are committed, until interrupted
  --every SECONDS    how often --follow looks, 5 by default
  --json             the whole progress records, a line each

Columns: gap s is the time since the batch before, ms what the batch took without its commit, removed the state rows that were let go.

Examples
  tidemark progress flights-hourly --checkpoint .flights
  tidemark progress page-views-5min --table tidemark --bucket tidemark --follow
  tidemark progress page-views-5min --table tidemark --bucket tidemark --last 1 --json | jq .eventTime.watermark
`;

const COLUMNS: readonly (readonly [
  name: string,
  read: (progress: QueryProgress, before?: QueryProgress) => unknown,
])[] = [
  ["batch", ({ batchId }) => batchId],
  ["at", ({ timestamp }) => timestamp],
  ["rows", ({ numInputRows }) => numInputRows],
  ["results", ({ sink }) => sink.numOutputRows],
  ["late", ({ numLateInputRows }) => numLateInputRows],
  ["malformed", ({ malformedRows }) => malformedRows],
  ["state rows", ({ stateOperators }) => sum(stateOperators.map(({ numRowsTotal }) => numRowsTotal))],
  ["removed", ({ stateOperators }) => sum(stateOperators.map(({ numRowsRemoved }) => numRowsRemoved))],
  ["watermark", ({ eventTime }) => eventTime.watermark ?? "none"],
  ["gap s", ({ timestamp }, before) => (before === undefined ? "" : seconds(timestamp, before.timestamp))],
  ["ms", ({ durationMs }) => durationMs.triggerExecution ?? ""],
  ["held back by", ({ heldBackBy }) => heldBackBy ?? ""],
];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const seconds = (later: string, earlier: string): string =>
  ((Date.parse(later) - Date.parse(earlier)) / 1000).toFixed(1);

export const progressCommand: Command = {
  name: "progress",
  summary: "the last micro-batches of a query, deployed or local",
  help: HELP,
  heedsSignal: true,
  async run(args, { stdout, env, signal }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        ...WHEREABOUTS,
        last: { type: "string", default: "10" },
        follow: { type: "boolean", default: false },
        every: { type: "string", default: "5" },
        json: { type: "boolean", default: false },
      },
      allowPositionals: true,
    });
    const [query] = positionals;
    if (query === undefined) throw new UsageError("Name the query.");
    const stored = await findStoredQuery(query, values, env);
    const read = async () => [...((await stored.recentProgress()) as readonly QueryProgress[])].sort(byTime);
    const everyMs = wholeNumber("--every", values.every) * 1000;
    const records = await read();
    const print = progressPrinter(stdout, values.json);
    print(records, wholeNumber("--last", values.last));
    const seen = new Set(records.map(nameOf));
    while (values.follow && signal?.aborted !== true) {
      await wait(everyMs, undefined, { signal }).catch(() => {});
      const later = await read();
      const fresh = later.filter((record) => !seen.has(nameOf(record)));
      for (const record of fresh) seen.add(nameOf(record));
      print([...later.filter((record) => !fresh.includes(record)), ...fresh], fresh.length);
    }
    return EXIT.ok;
  },
};

const byTime = (a: QueryProgress, b: QueryProgress): number =>
  a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0;

/** A batch of a partition. */
const nameOf = ({ stage, batchId }: QueryProgress): string => `${stage?.partition ?? 0} ${batchId}`;

const PARTITION: (typeof COLUMNS)[number] = ["partition", ({ stage }) => stage?.partition ?? ""];

/** A table with a head at the first call, lines below it later; or JSON lines. */
function progressPrinter(stdout: TextOutput, json: boolean) {
  let layout: ReturnType<typeof tableLayout> | null = null;
  let columns = COLUMNS;
  return (records: readonly QueryProgress[], last: number): void => {
    const from = Math.max(0, records.length - last);
    const shown = records.slice(from);
    if (json) {
      for (const record of shown) stdout.write(`${JSON.stringify(record)}\n`);
      return;
    }
    if (layout === null && shown.some(({ stage }) => stage !== undefined)) columns = [PARTITION, ...COLUMNS];
    const before = (at: number) =>
      records.slice(0, from + at).findLast(({ stage }) => stage?.partition === records[from + at]!.stage?.partition);
    const rows = shown.map((record, at) => columns.map(([, cell]) => String(cell(record, before(at)))));
    if (layout === null) {
      const names = columns.map(([name]) => name);
      layout = tableLayout(names, rows);
      for (const line of layout.head) stdout.write(`${line}\n`);
    }
    for (const row of rows) stdout.write(`${layout.line(row)}\n`);
  };
}
