import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Read<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: boolean }>>;

/**
 * The command line of one of the project's own commands: `--help` prints the usage and ends the process with 0, an unknown option
 * is one line and ends it with 2.
 */
export function commandLine<const O extends Options>(usage: string, options: O, allowPositionals = false): Read<O> {
  const help = { help: { type: "boolean", short: "h" } } as const;
  let read: Read<O>;
  try {
    read = parseArgs({ options: { ...options, ...help }, allowPositionals }) as Read<O>;
  } catch (error) {
    // The parser's advice after its first sentence is about positionals, of which most commands have none.
    return refuse((error as Error).message.split(". ")[0]!.replace(/\.$/, ""));
  }
  if ((read.values as { readonly help?: boolean }).help !== true) return read;
  process.stdout.write(`${usage.trim()}\n`);
  process.exit(0);
}

/** Ends the process with 2: the command line cannot be understood. */
export function refuse(why: string): never {
  process.stderr.write(`${why}. See --help\n`);
  process.exit(2);
}

export function wholeNumber(option: string, text: string, least = 0): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least) return value;
  return refuse(`${option} takes a whole number of ${least} or more, not '${text}'`);
}
