import { parseArgs } from "node:util";
import type { QueryProgress } from "../../runtime/progress.js";
import { type Command, EXIT, UsageError } from "../command.js";
import { findStoredQuery, WHEREABOUTS, WHEREABOUTS_HELP } from "../stored-query.js";
import { textTable } from "../text-table.js";
import { wholeNumber } from "../whole-number.js";

const HELP = `tidemark progress QUERY_NAME

The last micro-batches of a query, deployed or run over files, up to 64 of them. Reads only.

${WHEREABOUTS_HELP}  --last N           so many of them, 10 by default
  --json             the whole progress records, a line each

Examples
  tidemark progress flights-hourly --checkpoint .flights
  tidemark progress page-views-5min --table tidemark --bucket tidemark --last 1 --json | jq .eventTime.watermark
`;

const COLUMNS: readonly (readonly [name: string, read: (progress: QueryProgress) => unknown])[] = [
  ["batch", ({ batchId }) => batchId],
  ["at", ({ timestamp }) => timestamp],
  ["rows", ({ numInputRows }) => numInputRows],
  ["results", ({ sink }) => sink.numOutputRows],
  ["late", ({ numLateInputRows }) => numLateInputRows],
  ["malformed", ({ malformedRows }) => malformedRows],
  ["state rows", ({ stateOperators }) => stateOperators.reduce((sum, { numRowsTotal }) => sum + numRowsTotal, 0)],
  ["watermark", ({ eventTime }) => eventTime.watermark ?? "none"],
  ["held back by", ({ heldBackBy }) => heldBackBy ?? ""],
];

export const progressCommand: Command = {
  name: "progress",
  summary: "the last micro-batches of a query, deployed or local",
  help: HELP,
  async run(args, { stdout, env }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...WHEREABOUTS, last: { type: "string", default: "10" }, json: { type: "boolean", default: false } },
      allowPositionals: true,
    });
    const [query] = positionals;
    if (query === undefined) throw new UsageError("Name the query.");
    const { meta, openPartition } = await findStoredQuery(query, values, env);
    const records: QueryProgress[] = [];
    for (let partition = 0; partition < meta.statePartitions; partition++)
      records.push(...((await openPartition(partition, []).recentProgress()) as readonly QueryProgress[]));
    const last = records.slice(-wholeNumber("--last", values.last));
    if (values.json) {
      for (const record of last) stdout.write(`${JSON.stringify(record)}\n`);
    } else {
      const rows = last.map((record) => COLUMNS.map(([, read]) => String(read(record))));
      const names = COLUMNS.map(([name]) => name);
      stdout.write(`${textTable(names, rows).join("\n")}\n`);
    }
    return EXIT.ok;
  },
};
