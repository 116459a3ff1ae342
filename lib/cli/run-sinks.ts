import type { QueryDefinition } from "../plan/logical-plan.js";
import type { OutputName, Sink } from "../sinks/sink.js";
import { type Terminal, UsageError } from "./command.js";
import { fileSink } from "./file-sink.js";
import { ownSink } from "./own-sink.js";
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

export async function openRunSinks(
  definition: QueryDefinition,
  { output, sink, bucket, rows, json }: SinkOptions,
  terminal: Terminal,
  clearBar: () => void,
): Promise<Readonly<Record<OutputName, Sink>>> {
  if (sink !== undefined && sink !== "own") throw new UsageError("--sink takes nothing but own.");
  const write = (text: string) => {
    clearBar();
    terminal.stdout.write(text);
  };
  const maxRows =
    rows === undefined ? (terminal.stdout.isTTY === true ? 20 : Number.POSITIVE_INFINITY) : wholeNumber("--rows", rows);
  const replaced = output !== undefined ? fileSink(output) : json ? jsonSink(write) : tableSink(write, maxRows);
  const result = sink === "own" ? await ownSink(definition, { bucket, env: terminal.env }) : replaced;
  return { result, late: replaced, malformed: replaced };
}
