import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { bundleParts } from "./bundle-parts.js";

async function partsOf(entry: string): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), "tidemark-parts-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return (await bundleParts(entry, directory)).largest.map(([part]) => part);
}

/** What only a query needs. */
const OF_QUERIES = [
  "@datadog/sketches-js",
  "protobufjs",
  "hyparquet-writer",
  "lib/operators",
  "lib/planner",
  "lib/sinks",
];

it.each(["functions/heartbeat.ts", "functions/sweeper.ts"])(
  "leaves the engine and its libraries out of %s",
  async (entry) => {
    const parts = await partsOf(entry);
    expect(parts).toContain("lib/lambda");
    expect(parts.filter((part) => OF_QUERIES.includes(part))).toEqual([]);
  },
);

it("has in a query's bundle what a query needs", async () => {
  expect(await partsOf("functions/page-views.ts")).toEqual(expect.arrayContaining(OF_QUERIES));
});

it("loads the Parquet writer only on demand: a function whose sink is another evaluates none of it", async () => {
  const files = (await readdir("lib", { recursive: true })).filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(
    files.map(async (name) => [name, await readFile(join("lib", name), "utf8")] as const),
  );
  const importing = (pattern: RegExp) => texts.filter(([, text]) => pattern.test(text)).map(([name]) => name);
  expect(importing(/^import \{.*from "hyparquet-writer"/m).sort()).toEqual([
    "sinks/delta/data-file.ts",
    "sinks/delta/log-checkpoint.ts",
    "sinks/parquet-format.ts",
  ]);
  expect(importing(/^import \{.*from "[^"]*\/(parquet-format|delta\/[a-z0-9-]+)\.js"/m)).toEqual([]);
  expect(importing(/await import\("[^"]*\/parquet-format\.js"\)/)).toEqual(["lambda/sinks.ts"]);
  expect(importing(/await import\("[^"]*\/delta\/[a-z0-9-]+\.js"\)/)).toEqual(["lambda/sinks.ts"]);
});
