import { parseArgs } from "node:util";
import { adoptStoredIds } from "../../plan/adopt-stored-ids.js";
import { checkCompatible } from "../../plan/check-compatible.js";
import { closestName } from "../../plan/closest-name.js";
import { fingerprintOf } from "../../plan/fingerprint.js";
import type { QueryDefinition } from "../../plan/logical-plan.js";
import type { Row } from "../../plan/schema.js";
import { planQuery } from "../../planner/plan-query.js";
import { rowWriter } from "../../sinks/json-lines.js";
import type { StateView, TableSpec } from "../../state/state-store.js";
import { cellsOf } from "../cells.js";
import { type Command, EXIT, type TextOutput, UsageError } from "../command.js";
import { loadQuery } from "../load-query.js";
import { rowFilter } from "../row-filter.js";
import { type StateTable, stateTables } from "../state-tables.js";
import { findStoredQuery, WHEREABOUTS, WHEREABOUTS_HELP } from "../stored-query.js";
import { textTable } from "../text-table.js";
import { wholeNumber } from "../whole-number.js";

const HELP = `tidemark state QUERY_FILE

The groups that a query keeps, deployed or run over files: their keys, what their results would be now, when they expire.
Reads only; the query's file says how the stored rows are to be read.

  --query NAME         which query, where the file exports several
${WHEREABOUTS_HELP}  --key COLUMN=VALUE   only groups with this key, several times for several columns; a window by its start
  --operator ID        only this operator's state
  --limit N            rows shown per table, 100 by default
  --json               JSON lines: {"operator", "table", "row"}

Examples
  tidemark state functions/flights.ts --checkpoint .flights --key origin=SFO
  tidemark state functions/page-views.ts --table tidemark --bucket tidemark --key window=2026-11-30T12:00:00Z --key page=/
`;

export const stateCommand: Command = {
  name: "state",
  summary: "the state of any group, deployed or local",
  help: HELP,
  async run(args, { stdout, env }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        ...WHEREABOUTS,
        query: { type: "string" },
        key: { type: "string", multiple: true, default: [] },
        operator: { type: "string" },
        limit: { type: "string", default: "100" },
        json: { type: "boolean", default: false },
      },
      allowPositionals: true,
    });
    const limit = wholeNumber("--limit", values.limit);
    const filter = rowFilter(values.key);
    const query = await loadQuery(positionals[0], values.query);
    const { queryName } = query.definition;
    const { meta, openPartition } = await findStoredQuery(queryName, values, env);
    const plan = adoptStoredIds(query.definition.plan, meta.stateSchema);
    const definition = { ...query.definition, plan };
    // A run over files read other sources than the query names.
    checkCompatible({ ...meta.stateSchema, sources: [] }, fingerprintOf(definition));
    const { specs, tables } = tablesOf(definition, values.operator);
    requireKeys(
      filter.columns,
      tables.flatMap(({ table }) => table.schema.fields.map(({ name }) => name)),
    );
    for (let at = 0; at < meta.statePartitions; at++) {
      const partition = openPartition(at, specs);
      await partition.load();
      const state = partition.stage();
      for (const { spec, table } of tables) {
        const found = groups(state, spec, table, (row) => filter.matches(row, table.schema));
        show(stdout, table, found, { limit, json: values.json });
      }
    }
    return EXIT.ok;
  },
};

/** A misspelled key would find nothing, and say nothing. */
function requireKeys(asked: readonly string[], columns: readonly string[]): void {
  const unknown = asked.find((name) => !columns.includes(name));
  if (unknown === undefined) return;
  const closest = closestName(unknown, columns);
  throw new UsageError(
    `No state table has a column '${unknown}'${closest === undefined ? "" : `; did you mean '${closest}'?`} ` +
      `Columns: ${[...new Set(columns)].join(", ")}.`,
  );
}

function tablesOf(definition: QueryDefinition, operator: string | undefined) {
  const specs = planQuery(definition, { staticRows: () => [] }).tables;
  const tables = stateTables(definition, specs)
    .map((table) => ({ table, spec: specs.find((spec) => isOf(spec, table))! }))
    .filter(({ table }) => operator === undefined || table.operatorId === operator);
  return { specs, tables };
}

const isOf = (spec: TableSpec, { operatorId, table }: StateTable): boolean =>
  spec.operatorId === operatorId && spec.table === table;

const groups = (state: StateView, spec: TableSpec, table: StateTable, matches: (row: Row) => boolean): readonly Row[] =>
  [...state.table(spec).rows()].map((row) => table.toRow(row)).filter(matches);

interface Shown {
  readonly limit: number;
  readonly json: boolean;
}

function show(stdout: TextOutput, table: StateTable, rows: readonly Row[], { limit, json }: Shown): void {
  const { operatorId: operator, schema } = table;
  if (json) {
    const write = rowWriter(schema);
    const head = JSON.stringify({ operator, table: table.table }).slice(0, -1);
    for (const row of rows.slice(0, limit)) stdout.write(`${head},"row":${write(row)}}\n`);
    return;
  }
  const names = schema.fields.map(({ name }) => name);
  const more = rows.length > limit ? [`… ${rows.length - limit} more`] : [];
  const lines = [`${operator} ${table.table}: ${rows.length} rows`];
  if (rows.length > 0) lines.push(...textTable(names, rows.slice(0, limit).map(cellsOf(schema))), ...more);
  stdout.write(`${lines.join("\n")}\n\n`);
}
