import { stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { internalError } from "../../errors.js";
import { systemClock } from "../../runtime/clock.js";
import { sourcesOf } from "../../runtime/query-sources.js";
import { shortDuration } from "../../time/short-duration.js";
import { type Command, EXIT, UsageError } from "../command.js";
import { compareDelays, delaysText } from "../compare-delays.js";
import { exactDelays } from "../exact-delays.js";
import { fileAndInputs } from "../file-and-inputs.js";
import { requireUnused } from "../file-sink.js";
import { withFileSources } from "../file-sources.js";
import { givenOptions } from "../given-options.js";
import { type Inputs, readInputs } from "../inputs.js";
import { loadQuery } from "../load-query.js";
import { progressBar } from "../progress-bar.js";
import { progressLine } from "../progress-line.js";
import { refuseLateOutput } from "../refuse-late-output.js";
import { claimDirectory, directoryCheckpoint, memoryCheckpoint } from "../run-checkpoint.js";
import { runFiles } from "../run-files.js";
import { delaysOf, eventTimeRange, RUN_HELP, RUN_OPTIONS } from "../run-options.js";
import { openRunSinks } from "../run-sinks.js";
import { addProgress, interruptedText, NOTHING_RUN, summaryText } from "../run-summary.js";
import { runTroubles } from "../run-troubles.js";
import { loadTables, readTableFiles, tableFileReader } from "../table-files.js";
import { withDelays, withinEventTimes } from "../watermark-delays.js";
import { wholeNumber } from "../whole-number.js";

export const runCommand: Command = {
  name: "run",
  summary: "a query over files: backfills and trials",
  help: RUN_HELP,
  heedsSignal: true,
  async run(args, terminal) {
    const { values, tokens } = parseArgs({
      args: [...args],
      options: RUN_OPTIONS,
      allowPositionals: true,
      tokens: true,
    });
    const batchSize = wholeNumber("--batch-size", values["batch-size"]);
    const [file, given] = fileAndInputs(tokens);
    const query = await loadQuery(file, values.query);
    const options = givenOptions(values.option ?? []);
    const range = eventTimeRange(values.from, values.until);
    const asked = withinEventTimes(withFileSources(query.definition, options), range);
    const { queryName } = asked;
    const sources = sourcesOf(asked.plan);
    const inputs = readInputs(given, sources);
    await refuseLateOutput(inputs, sources);
    if (values.exact || values.checkpoint !== undefined) refuseStandardInput(inputs);
    const tables = readTableFiles(values.table ?? [], asked.plan);
    const clock = systemClock;
    const common = { inputs, batchSize, clock, readTable: tableFileReader(tables, options) };
    const delays = delaysOf(values.delays);
    if (delays.length > 0) {
      const runs = await compareDelays({ ...common, definition: asked, onRead: () => {} }, delays);
      terminal.stdout.write(values.json ? `${JSON.stringify({ delays: runs })}\n` : delaysText(runs));
      return EXIT.ok;
    }
    const rows = async () => await loadTables(asked.plan, tables);
    const exact = values.exact ? await exactDelays(asked, inputs, batchSize, tableOf(await rows())) : null;
    const definition = exact === null ? asked : withDelays(asked, exact);
    const drain = values.drain || exact !== null;
    const totalBytes = await plainBytes(inputs);
    if (values.checkpoint !== undefined) await claimDirectory(values.checkpoint, queryName, inputs, exact);
    else if (values.output !== undefined) await requireUnused(values.output);

    const bar = progressBar(terminal.stderr);
    terminal.stderr.write(`${queryName}: ${modeText(batchSize, exact)}\n`);
    const started = clock.now();
    const troubles = runTroubles();
    const { sinks, formerSink } = await openRunSinks(query.definition, values, terminal, bar.clear);
    let summary = NOTHING_RUN(queryName);
    let read = 0;
    let startShare: number | null = null;
    const isWhole = await runFiles({
      ...common,
      definition,
      checkpoint:
        values.checkpoint === undefined
          ? memoryCheckpoint(clock.now)
          : directoryCheckpoint(values.checkpoint, clock.now),
      sinks: { ...sinks, malformed: troubles.counting(sinks.malformed) },
      formerSink,
      drain,
      signal: terminal.signal,
      onColumns: troubles.sawColumns,
      onRead(bytes) {
        // Where an earlier run ended is not this run's pace.
        startShare ??= totalBytes === null ? 0 : read / totalBytes;
        read += bytes;
      },
      onProgress(progress) {
        summary = addProgress(summary, progress);
        for (const warning of progress.eventTimeWarnings ?? []) troubles.warn(warning);
        const share = totalBytes === null ? null : read / totalBytes;
        const seconds = (clock.now() - started) / 1000;
        const pace = progressLine({ records: summary.records, seconds, share, startShare: startShare ?? 0 });
        const n = (value: number) => value.toLocaleString("en");
        bar.show(
          share,
          `${pace}; ${n(summary.records)} records, ${n(summary.late)} late, watermark ${summary.watermark ?? "none"}`,
        );
      },
    });
    bar.clear();
    if (exact !== null && summary.late > 0)
      throw internalError("exact-late", `${summary.late} rows were late in a run in which none may be.`);
    if (values.json) terminal.stdout.write(`${JSON.stringify({ summary })}\n`);
    terminal.stderr.write(summaryText(summary, (clock.now() - started) / 1000, drain || !isWhole));
    terminal.stderr.write(troubles.text(summary));
    if (values.output !== undefined) terminal.stderr.write(`  written to ${values.output}\n`);
    if (!isWhole) {
      terminal.stderr.write(interruptedText(values.checkpoint));
      return EXIT.interrupted;
    }
    return troubles.isAmiss(summary, values.strict) ? EXIT.amiss : EXIT.ok;
  },
};

const tableOf =
  <Rows>(tables: ReadonlyMap<string, Rows>) =>
  (name: string): Rows =>
    tables.get(name)!;

function modeText(batchSize: number, exact: readonly number[] | null): string {
  const batches = `micro-batches of ${batchSize.toLocaleString("en")} records`;
  if (exact === null) return `${batches}; their size decides which rows are late`;
  return `${batches}; no row is late, with a delay of ${exact.map(shortDuration).join(" and ")}`;
}

function refuseStandardInput(inputs: Inputs): void {
  if (![...inputs.values()].flat().includes("-")) return;
  throw new UsageError("Standard input can be read once only: --exact and --checkpoint need files.");
}

/** Of all inputs, if what is read of them is what stands in them; compressed and columnar ones tell nothing. */
async function plainBytes(inputs: Inputs): Promise<number | null> {
  const paths = [...inputs.values()].flat();
  if (paths.some((path) => path === "-" || /\.(gz|csv|parquet)$/i.test(path))) return null;
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
