import { type Command, EXIT, type Terminal, UsageError } from "./command.js";
import { devCommand } from "./commands/dev.js";
import { doctorCommand } from "./commands/doctor.js";
import { explainCommand } from "./commands/explain.js";
import { lateCommand } from "./commands/late.js";
import { latenessCommand } from "./commands/lateness.js";
import { progressCommand } from "./commands/progress.js";
import { runCommand } from "./commands/run.js";
import { stateCommand } from "./commands/state.js";
import { uiCommand } from "./commands/ui.js";
import { packageVersion } from "./package-version.js";

const COMMANDS: readonly Command[] = [
  runCommand,
  latenessCommand,
  lateCommand,
  explainCommand,
  progressCommand,
  stateCommand,
  doctorCommand,
  devCommand,
  uiCommand,
];

const HELP = `tidemark: streaming queries with event-time watermarks

${COMMANDS.map(({ name, summary }) => `  tidemark ${name.padEnd(10)} ${summary}`).join("\n")}

  tidemark COMMAND --help   options and examples
  tidemark --version        the version of this package

Exit codes: 0 done, 1 failed, 2 the command line is wrong, 130 interrupted.
`;

/** Whether the command of a command line ends by itself when it is interrupted. */
export const heedsSignal = ([name]: readonly string[]): boolean =>
  COMMANDS.some((command) => command.name === name && command.heedsSignal === true);

/** @returns the exit code; errors are printed with their remedy and without a stack, unless TIDEMARK_STACK is set */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v") {
    terminal.stdout.write(`${packageVersion()}\n`);
    return EXIT.ok;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const asked = name === undefined || name === "help" || name === "--help" || name === "-h";
    if (asked) terminal.stdout.write(HELP);
    else terminal.stderr.write(`tidemark: there is no command '${name}'.\n\n${HELP}`);
    return asked && name !== undefined ? EXIT.ok : EXIT.usage;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.stdout.write(command.help);
    return EXIT.ok;
  }
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    terminal.stderr.write(`tidemark ${command.name}: ${textOf(error, terminal)}\n`);
    if (!isUsageError(error)) return EXIT.failed;
    terminal.stderr.write(`See: tidemark ${command.name} --help\n`);
    return EXIT.usage;
  }
}

function textOf(error: unknown, { env }: Terminal): string {
  if (!(error instanceof Error)) return String(error);
  return env["TIDEMARK_STACK"] === undefined ? error.message : String(error.stack);
}

/** Ours, or one of the argument parser's. */
const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError || String((error as { readonly code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
