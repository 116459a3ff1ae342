import type { QueryDefinition } from "../plan/logical-plan.js";
import type { OutputSinks, Sink } from "../sinks/sink.js";
import { type Terminal, UsageError } from "./command.js";
import { fileSink, fileSinkOf } from "./file-sink.js";
import { formerOwnSink, ownSinks } from "./own-sink.js";
import { jsonSink, tableSink } from "./terminal-sink.js";
import { wholeNumber } from "./whole-number.js";

/** Options of `tidemark run` that say where its output goes. */
interface SinkOptions {
  readonly output?: string | undefined;
  readonly sink?: string | undefined;
  readonly bucket?: string | undefined;
  readonly rows?: string | undefined;
  readonly json: boolean;
}

interface RunSinks {
  readonly sinks: OutputSinks;
  /** Where an earlier run over the same checkpoint wrote: what it committed and did not get out goes there. */
  readonly formerSink: (target: string) => Promise<Sink | null>;
}

/** Of a terminal, or what a shell says of its own; of a pipe nobody knows. */
const columnsOf = ({ stdout, env }: Terminal): number =>
  stdout.columns ?? (Number(env["COLUMNS"] ?? 0) || PIPED_COLUMNS);

const PIPED_COLUMNS = 200;

const rowsShown = ({ stdout }: Terminal): number => (stdout.isTTY === true ? 20 : 1_000);

export async function openRunSinks(
  definition: QueryDefinition,
  { output, sink, bucket, rows, json }: SinkOptions,
  terminal: Terminal,
  clearBar: () => void,
): Promise<RunSinks> {
  if (sink !== undefined && sink !== "own") throw new UsageError("--sink takes nothing but own.");
  const write = (text: string) => {
    clearBar();
    terminal.stdout.write(text);
  };
  const shape = {
    maxRows: rows === undefined ? rowsShown(terminal) : wholeNumber("--rows", rows),
    columns: columnsOf(terminal),
  };
  const terminals = [jsonSink(write), tableSink(write, shape)] as const;
  const replaced = output !== undefined ? fileSink(output) : terminals[json ? 0 : 1];
  const own = { bucket, env: terminal.env };
  const results = sink === "own" ? await ownSinks(definition, own) : { result: replaced };
  return {
    sinks: { ...results, late: replaced, malformed: replaced },
    formerSink: async (target) =>
      fileSinkOf(target) ??
      terminals.find((other) => other.target === target) ??
      (await formerOwnSink(target, definition, own)),
  };
}
