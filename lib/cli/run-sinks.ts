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
  const maxRows =
    rows === undefined ? (terminal.stdout.isTTY === true ? 20 : Number.POSITIVE_INFINITY) : wholeNumber("--rows", rows);
  const terminals = [jsonSink(write), tableSink(write, maxRows)] as const;
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
