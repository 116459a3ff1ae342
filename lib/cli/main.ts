#!/usr/bin/env node
import { EXIT } from "./command.js";
import { heedsSignal, runCli } from "./run-cli.js";

// Who reads our output may stop reading, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/** The first Ctrl-C lets a command end where it can go on; the second ends the process. */
const args = process.argv.slice(2);
const interruption = new AbortController();
if (heedsSignal(args)) {
  process.once("SIGINT", () => {
    interruption.abort();
    process.once("SIGINT", () => process.exit(EXIT.interrupted));
  });
}

const { stdout, stderr, env } = process;
process.exitCode = await runCli(args, { stdout, stderr, env, signal: interruption.signal });
