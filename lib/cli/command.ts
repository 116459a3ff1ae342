/** The world of a command: where it writes, and what its environment says. */
export interface Terminal {
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends a command that runs until it is interrupted; absent: the process's end does. */
  readonly signal?: AbortSignal;
}

export interface TextOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Of a terminal: how many characters are side by side. */
  readonly columns?: number;
}

export interface Command {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** The whole help text, with examples. */
  readonly help: string;
  /** It ends by itself at `Terminal.signal`, and says how to go on. */
  readonly heedsSignal?: true;
  /** @returns the exit code */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** What scripts can rely on; `amiss`: it ran to its end, and rows did not land. */
export const EXIT = Object.freeze({ ok: 0, failed: 1, usage: 2, amiss: 3, interrupted: 130 });

/** The command line cannot be understood; the help of its command is one line away. */
export class UsageError extends Error {}
