import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/add-a-connector.md"), "utf8");

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "tidemark-connector-"));
  for (const folder of ["lib", "infra", "package.json", "tsconfig.json"])
    cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const compilerOptions = { incremental: false, tsBuildInfoFile: null, exactOptionalPropertyTypes: false };
  writeFileSync(
    join(copy, "tsconfig.trial.json"),
    JSON.stringify({
      extends: "./tsconfig.json",
      compilerOptions,
      include: ["lib", "infra"],
      exclude: ["lib/ui/page"],
    }),
  );
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function replaceIn(name: string, from: string, to: string): void {
  const path = join(copy, name);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** The files that the compiler names. */
function asked(): readonly string[] {
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = spawnSync(compiler, ["-p", "tsconfig.trial.json"], { cwd: copy, encoding: "utf8" });
  return [...new Set([...stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): error/gm)].map(([, file]) => file!))].sort();
}

/** The files of the list under a heading. */
const listed = (heading: string): readonly string[] =>
  [
    ...page
      .split(`## ${heading}\n`)[1]!
      .split("\n## ")[0]!
      .matchAll(/^ {3}- `([^`]+)`:/gm),
  ]
    .map(([, file]) => file!)
    .sort();

const CATALOGUE = "lib/plan/connectors/catalogue.ts";
const KIND = '{ readonly kind: "sqs"; readonly queue: string };';
const COMMON = '{ namedBy: "queue", deployable: true, grants: [], options: { queue: "required"';

it("the compiler asks for a new sink where the page says", () => {
  const file = "lib/plan/connectors/sink-connector.ts";
  replaceIn(file, "\n  | MemorySinkConnector;", `\n  | MemorySinkConnector\n  | ${KIND}`);
  replaceIn(
    CATALOGUE,
    "export const SINKS = {",
    `export const SINKS = {\n  sqs: ${COMMON} }, outputModes: ["append"], sideOutputs: "bucket" },`,
  );
  expect(asked()).toEqual(listed("A sink"));
  cpSync(join(ROOT, "lib"), join(copy, "lib"), { recursive: true });
});

it("and for a new source", () => {
  const file = "lib/plan/connectors/source-connector.ts";
  replaceIn(file, "\n  | MemorySourceConnector;", `\n  | MemorySourceConnector\n  | AnySource & ${KIND}`);
  replaceIn(
    CATALOGUE,
    "export const SOURCES = {",
    `export const SOURCES = {\n  sqs: ${COMMON}, ...SOURCE_OPTIONS }, arrivals: false, listsShards: true, partitionable: false, redelivers: "from-first-left" },`,
  );
  expect(asked()).toEqual(listed("A source"));
});
