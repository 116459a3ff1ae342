import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli, VIEWS, workspace } from "./support.js";

const COMMANDS = ["run", "explain", "progress", "state"];
const page = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");

test.each(COMMANDS)("%s has help with examples, and the docs name each of its options", async (command) => {
  const { code, stdout } = await cli([command, "--help"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nExamples\n {2}tidemark /);
  const options = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option!);
  expect(options.length).toBeGreaterThan(1);
  expect(options.filter((option) => !page.includes(option))).toEqual([]);
});

test("exit codes tell a wrong command line from a failure", async () => {
  const { file } = workspace();
  expect(await cli(["--help"])).toMatchObject({ code: 0, stdout: expect.stringContaining("tidemark run") });
  expect(await cli([])).toMatchObject({ code: 2 });
  expect(await cli(["fly"])).toMatchObject({ code: 2, stderr: expect.stringContaining("no command 'fly'") });
  expect(await cli(["run", "--inptu"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--inptu") });
  expect(await cli(["run"])).toMatchObject({ code: 2 });
  const views = file("views.ts", VIEWS);
  expect(await cli(["run", views, "--batch-size", "none", "--input", "x"])).toMatchObject({ code: 2 });
  expect(await cli(["run", views, "--input", "nowhere.jsonl"])).toMatchObject({ code: 1 });
  expect(await cli(["explain", file("empty.ts", "export const x = 1;")])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("[query-not-exported]"),
  });
});

test("a file of several queries wants one by its name", async () => {
  const { file } = workspace();
  const both = file("both.ts", `${VIEWS}\nexport const other = views;\n${second()}`);
  expect(await cli(["explain", both])).toMatchObject({ code: 1, stderr: expect.stringContaining("hits, views") });
  expect(await cli(["explain", both, "--query", "hits"])).toMatchObject({ code: 0 });
  expect(await cli(["explain", both, "--query", "x"])).toMatchObject({ code: 1 });
});

const second = () =>
  `export const hits = readStream(kinesis({ stream: "hits", schema: View }))
     .writeStream({ queryName: "hits", outputMode: "append", sink: s3() });`;

test("explain prints the plan, or its definition as JSON", async () => {
  const { file } = workspace();
  const views = file("views.ts", VIEWS);
  expect((await cli(["explain", views])).stdout).toContain("append latency");
  expect(JSON.parse((await cli(["explain", views, "--json"])).stdout)).toMatchObject({
    queryName: "views",
    plan: { kind: "aggregate" },
    warnings: [],
  });
});
