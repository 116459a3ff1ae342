import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleToTemporaryFile, importQueryFile } from "../../lib/cli/bundle.js";

let directory: string;
const systemTmpdir = process.env["TMPDIR"];
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  process.env["TMPDIR"] = join(directory, "tmp");
  mkdirSync(process.env["TMPDIR"]);
});
afterAll(() => {
  if (systemTmpdir === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = systemTmpdir;
  rmSync(directory, { recursive: true });
});
const file = (name: string, text: string) => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

test("a TypeScript file with imports becomes exports of this process", async () => {
  file("part.ts", "export const part: number = 41;");
  const entry = file("query.ts", 'import { part } from "./part.js"; export const query = { answer: part + 1 };');
  expect((await importQueryFile(entry))["query"]).toEqual({ answer: 42 });
});

test("a CommonJS dependency that requires Node's modules still works", async () => {
  file("old.cjs", 'module.exports = { sep: require("node:path").sep };');
  const entry = file("uses-old.ts", 'import old from "./old.cjs"; export const sep: string = old.sep;');
  expect((await importQueryFile(entry))["sep"]).toBe("/");
});

test("a file that does not compile is the user's fault, with the place, and leaves no directory", async () => {
  const entry = file("bad.ts", "export const = 1;");
  await expect(bundleToTemporaryFile(entry)).rejects.toMatchObject({ code: "query-file-invalid", domain: "user" });
  await expect(bundleToTemporaryFile(entry)).rejects.toThrow(/bad\.ts:1:13/);
  expect(readdirSync(process.env["TMPDIR"]!)).toEqual([]);
});

test("a temporary bundle is removed with its directory", async () => {
  const bundle = await bundleToTemporaryFile(file("tiny.ts", "export const x = 1;"));
  expect(existsSync(bundle.file)).toBe(true);
  await bundle.remove();
  expect(existsSync(dirname(bundle.file))).toBe(false);
});
