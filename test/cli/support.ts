import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runCli } from "../../lib/cli/run-cli.js";

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly terminal?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A command as a shell would run it, in this process. */
export async function cli(
  args: readonly string[],
  { terminal = false, env = {}, signal }: CliOptions = {},
): Promise<CliResult> {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    isTTY: terminal,
    write(text: string) {
      written[name] += text;
    },
  });
  const code = await runCli(args, {
    stdout: output("stdout"),
    stderr: output("stderr"),
    env,
    ...(signal === undefined ? {} : { signal }),
  });
  return { code, ...written };
}

/** A directory outside the repository, gone after the test. */
export function workspace(): { readonly directory: string; file(name: string, text: string): string } {
  const directory = mkdtempSync(join(tmpdir(), "tidemark-cli-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return {
    directory,
    file(name, text) {
      const path = join(directory, name);
      writeFileSync(path, text);
      return path;
    },
  };
}

/** A query file as a user writes it, for the package by its name. Without its handler: with it the runner takes seconds to import the bundle. */
export const VIEWS = `
import { columns, count, kinesis, readStream, s3, string, timestamp, window } from "tidemark";

const View = columns({ at: timestamp(), page: string() });

export const views = readStream(kinesis({ stream: "views", schema: View }))
  .withWatermark("at", "10 minutes")
  .groupBy(window("at", "5 minutes"), "page")
  .agg({ n: count() })
  .writeStream({ queryName: "views", outputMode: "append", sink: s3() });
`;

export const view = (time: string, page = "/"): string => `${JSON.stringify({ at: `2024-03-01T${time}:00Z`, page })}\n`;

export const row = (from: string, to: string, n: number, page = "/") => ({
  window: { start: `2024-03-01T${from}:00Z`, end: `2024-03-01T${to}:00Z` },
  page,
  n,
});

export const jsonLines = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
