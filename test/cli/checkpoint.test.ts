import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../../lib/cli/run-cli.js";
import { cli, jsonLines, row, VIEWS, view, workspace } from "./support.js";

const HOURS = Array.from({ length: 40 }, (_, at) => view(`12:${String(at).padStart(2, "0")}`, `/${at % 3}`));

function setUp() {
  const { directory, file } = workspace();
  const input = file("v.jsonl", HOURS.join(""));
  const query = file("views.ts", VIEWS);
  const run = (name: string, ...more: string[]) =>
    cli([
      ...["run", query, "--input", input, "--batch-size", "4"],
      ...["--output", join(directory, name), "--checkpoint", join(directory, `${name}.checkpoint`), ...more],
    ]);
  const output = (name: string) =>
    readdirSync(join(directory, name))
      .filter((file) => file.endsWith(".jsonl"))
      .sort()
      .map((file) => [file, readFileSync(join(directory, name, file), "utf8")]);
  return { directory, file, query, input, run, output };
}

test("a run in pieces writes what a run in one writes", async () => {
  const { run, output, input } = setUp();
  await run("whole");
  writeFileSync(input, HOURS.slice(0, 20).join(""));
  await run("pieces");
  writeFileSync(input, HOURS.join(""));
  await run("pieces");
  await run("pieces");
  expect(output("pieces")).toEqual(output("whole"));
  expect(output("whole")[0]![1]).toContain('"page":"/2"');
});

test("a torn end of an output file is cut off before the batch is written again", async () => {
  const { directory, run, output, input } = setUp();
  await run("whole");
  writeFileSync(input, HOURS.slice(0, 32).join(""));
  await run("torn");
  const torn = join(directory, "torn", "result.jsonl");
  writeFileSync(torn, `${readFileSync(torn, "utf8")}{"window":{"sta`);
  writeFileSync(input, HOURS.join(""));
  await run("torn");
  expect(output("torn")).toEqual(output("whole"));
});

test("files that have changed, or become fewer, are refused", async () => {
  const { run, input, file, directory } = setUp();
  await run("out");
  truncateSync(input, 100);
  expect(await run("out")).toMatchObject({ code: 1, stderr: expect.stringContaining("[source-recreated]") });
  writeFileSync(input, HOURS.join("").replace("/1", "/9"));
  expect(await run("out")).toMatchObject({ code: 1, stderr: expect.stringContaining("[source-recreated]") });
  const other = file("other.ts", VIEWS.replaceAll('"views"', '"other"'));
  const args = ["run", other, "--input", input, "--checkpoint", join(directory, "out.checkpoint")];
  expect(await cli(args)).toMatchObject({ code: 1, stderr: expect.stringContaining("[checkpoint-of-another-query]") });
});

test("progress lists the last micro-batches", async () => {
  const { run, directory } = setUp();
  await run("out");
  const where = ["--checkpoint", join(directory, "out.checkpoint")];
  const { stdout } = await cli(["progress", "views", ...where]);
  expect(stdout.split("\n")[0]).toMatch(/^batch {2}at +rows +results/);
  const last = await cli(["progress", "views", ...where, "--last", "1", "--json"]);
  expect(jsonLines(last.stdout)).toMatchObject([
    { name: "views", batchId: 10, eventTime: { watermark: "2024-03-01T12:29:00.000Z" } },
  ]);
});

test("progress tells what was removed, how long a batch took and how long after the one before, and follows new ones", async () => {
  const { run, directory } = setUp();
  await run("out");
  const stop = new AbortController();
  const lines: string[] = [];
  const following = runCli(
    ["progress", "views", "--checkpoint", join(directory, "out.checkpoint"), "--follow", "--every", "1"],
    {
      stdout: { write: (text) => lines.push(text) },
      stderr: { write: (text) => lines.push(text) },
      env: {},
      signal: stop.signal,
    },
  );
  await expect.poll(() => lines.length).toBe(12);
  expect(lines[0]).toMatch(/removed +watermark +gap s +ms +held back by\n$/);
  expect(lines[2]).toMatch(/^ +1 {2}20\d\d-/);
  expect(lines[11]).toMatch(/^ +10 .* {2}\d+\.\d {2} *\d+\n$/);
  stop.abort();
  expect(await following).toBe(0);
});

test("A3: an old checkpoint with a new output folder writes each window to one of them", async () => {
  const { directory, run, input, query, output } = setUp();
  await run("whole");
  writeFileSync(input, HOURS.slice(0, 20).join(""));
  await run("first");
  writeFileSync(input, HOURS.join(""));
  await cli([
    ...["run", query, "--input", input, "--batch-size", "4", "--output", join(directory, "second")],
    ...["--checkpoint", join(directory, "first.checkpoint")],
  ]);
  const lines = (name: string) => (output(name)[0]![1] ?? "").trimEnd().split("\n");
  expect([...lines("first"), ...lines("second")]).toEqual(lines("whole"));
});

test("D2: a key that is no column is refused, and the right one named", async () => {
  const { run, directory, query } = setUp();
  await run("out");
  const asked = await cli(["state", query, "--checkpoint", join(directory, "out.checkpoint"), "--key", "pgae=/1"]);
  expect(asked.stderr).toMatch(/No state table has a column 'pgae'; did you mean 'page'\?/);
  expect(asked.code).toBe(2);
});

test("D8: a missing input file is named", async () => {
  const { query } = setUp();
  const asked = await cli(["run", query, "--input", "nowhere.jsonl"]);
  expect(asked.stderr).toContain("[input-missing] There is no input file 'nowhere.jsonl'.");
});

test("state reads any group by its key, and changes nothing", async () => {
  const { run, directory, query } = setUp();
  await run("out");
  const checkpoint = join(directory, "out.checkpoint");
  const before = readdirSync(checkpoint, { recursive: true }).sort();
  const where = ["--checkpoint", checkpoint];
  const one = await cli([
    "state",
    query,
    ...where,
    "--key",
    "page=/1",
    "--key",
    "window=2024-03-01T12:30:00Z",
    "--json",
  ]);
  expect(jsonLines(one.stdout)).toEqual([
    {
      operator: expect.stringContaining("aggregate"),
      table: "groups",
      row: { ...row("12:30", "12:35", 2, "/1"), expires: "2024-03-01T12:35:00Z" },
    },
  ]);
  const all = await cli(["state", query, ...where]);
  expect(all.stdout).toContain("groups: 9 rows");
  expect((await cli(["state", query, ...where, "--limit", "2"])).stdout).toContain("… 7 more");
  expect(readdirSync(checkpoint, { recursive: true }).sort()).toEqual(before);
  await run("out");
});

test("what is nowhere is said to be nowhere", async () => {
  const { directory, query } = setUp();
  const nowhere = ["--checkpoint", join(directory, "nothing")];
  expect(await cli(["progress", "views", ...nowhere])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("[checkpoint-missing]"),
  });
  expect(await cli(["state", query, ...nowhere])).toMatchObject({ code: 1 });
  expect(await cli(["state", query])).toMatchObject({ code: 2, stderr: expect.stringContaining("--checkpoint DIR") });
});
