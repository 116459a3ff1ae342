import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, test } from "vitest";
import { cli, jsonLines, row, VIEWS, view, workspace } from "./support.js";

/** The worked example, in batches of two: 12:02 comes last and is late. */
const WORKED = view("12:01") + view("12:07") + view("12:16") + view("12:03") + view("12:02");

const results = (stdout: string) =>
  jsonLines(stdout).flatMap((line) => {
    const { output, row: found } = line as { readonly output?: string; readonly row?: unknown };
    return output === "result" ? [found] : [];
  });

test("a query file outside the repository runs over files, and says what it did", async () => {
  const { file } = workspace();
  const args = ["run", file("views.ts", VIEWS), "--input", file("v.jsonl", `${WORKED}no JSON\n`), "--batch-size", "2"];
  const { code, stdout, stderr } = await cli([...args, "--json"]);
  expect(code).toBe(0);
  const lines = jsonLines(stdout);
  expect(results(stdout)).toEqual([row("12:00", "12:05", 2)]);
  expect(lines).toContainEqual({
    output: "late",
    batchId: 3,
    row: expect.objectContaining({ eventTime: "2024-03-01T12:02:00Z", lateByMs: 240_000 }),
  });
  expect(lines).toContainEqual({
    output: "malformed",
    batchId: 3,
    row: expect.objectContaining({ reason: "not-json", source: expect.objectContaining({ sequence: "6" }) }),
  });
  expect(lines.at(-1)).toMatchObject({ summary: { batches: 3, records: 6, results: 1, late: 1, malformed: 1 } });
  expect(stderr).toContain("micro-batches of 2 records");
  expect(stderr).toContain("--drain closes them");
});

test("the batch size decides which rows are late; 10,000 is the default", async () => {
  const { file } = workspace();
  const { stdout, stderr } = await cli(["run", file("views.ts", VIEWS), "--input", file("v.jsonl", WORKED), "--json"]);
  expect(results(stdout)).toEqual([row("12:00", "12:05", 3)]);
  expect(stderr).toContain("micro-batches of 10,000 records");
});

test("a table shows windows as they close, and --drain closes the last ones", async () => {
  const { file } = workspace();
  const { stdout } = await cli(["run", file("views.ts", VIEWS), "--input", file("v.jsonl", WORKED), "--drain"]);
  expect(stdout.split("\n").slice(0, 4)).toEqual([
    "batch 1",
    "window                                       page  n",
    "───────────────────────────────────────────  ────  ─",
    "2024-03-01T12:00:00Z – 2024-03-01T12:05:00Z  /     3",
  ]);
  expect(stdout).toContain("2024-03-01T12:15:00Z – 2024-03-01T12:20:00Z  /     1");
});

test("a terminal gets a bar and at most --rows rows of a table", async () => {
  const { file } = workspace();
  const pages = Array.from({ length: 30 }, (_, page) => view("12:01", `/${page}`)).join("") + view("13:00");
  const args = ["run", file("views.ts", VIEWS), "--input", file("v.jsonl", pages)];
  const shown = await cli(args, { terminal: true });
  expect(shown.stdout).toContain("… 10 more");
  expect(shown.stderr).toContain("█");
  const piped = await cli(args);
  expect(piped.stdout).not.toContain("more");
  expect(piped.stderr).not.toContain("█");
  expect((await cli([...args, "--rows", "5"])).stdout).toContain("… 25 more");
});

test("CSV, compressed JSON lines and Parquet give the same results", async () => {
  const { directory, file } = workspace();
  const query = file("views.ts", VIEWS);
  const times = ["12:01", "12:07", "12:16", "12:03"].map((time) => `2024-03-01T${time}:00Z`);
  const csv = file("v.csv", `at,page\n${times.map((time) => `${time},/\n`).join("")}`);
  const jsonl = join(directory, "v.jsonl.gz");
  const parquet = join(directory, "v.parquet");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(jsonl, gzipSync(times.map((at) => `{"at":"${at}","page":"/"}\n`).join("")));
  const columnData = [
    { name: "at", data: times.map((time) => new Date(time)), type: "TIMESTAMP" as const },
    { name: "page", data: times.map(() => "/"), type: "STRING" as const },
  ];
  writeFileSync(parquet, new Uint8Array(parquetWriteBuffer({ columnData })));
  for (const input of [csv, jsonl, parquet]) {
    const { code, stdout } = await cli(["run", query, "--input", input, "--json"]);
    expect([input, code, results(stdout)]).toEqual([input, 0, [row("12:00", "12:05", 2)]]);
  }
});

test("several files are read in their order, as a shell's * gives them", async () => {
  const { file } = workspace();
  const [a, b] = [file("a.jsonl", view("12:16")), file("b.jsonl", view("12:02"))];
  const args = ["--batch-size", "1", "--json"];
  const query = file("views.ts", VIEWS);
  const late = async (...inputs: string[]) => {
    const { stdout } = await cli(["run", query, "--input", ...inputs, ...args]);
    return jsonLines(stdout).filter((line) => (line as { readonly output?: string }).output === "late").length;
  };
  expect(await late(a, b)).toBe(1);
  expect(await late(b, a)).toBe(0);
});

test("a query of two sources needs each --input by its name", async () => {
  const { file } = workspace();
  const query = file(
    "join.ts",
    `import { columns, memory, readStream, string, timestamp } from "tidemark";
     const left = readStream(memory({ name: "l", schema: columns({ a: string(), at: timestamp() }) })).withWatermark("at", "0 seconds");
     const right = readStream(memory({ name: "r", schema: columns({ a: string(), bt: timestamp() }) })).withWatermark("bt", "0 seconds");
     export const pairs = left.join(right, { using: ["a"], within: { from: "-1 hour", to: "1 hour" } })
       .writeStream({ queryName: "pairs", outputMode: "append", sink: memory() });`,
  );
  const l = file("l.jsonl", '{"a":"x","at":"2024-03-01T12:00:00Z"}\n');
  const r = file("r.jsonl", '{"a":"x","bt":"2024-03-01T12:10:00Z"}\n');
  const { stdout } = await cli(["run", query, "--input", `l=${l}`, "--input", `r=${r}`, "--json"]);
  expect(results(stdout)).toEqual([{ a: "x", at: "2024-03-01T12:00:00Z", bt: "2024-03-01T12:10:00Z" }]);
  const unnamed = await cli(["run", query, "--input", l]);
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining("--input NAME=FILE") });
  const missing = await cli(["run", query, "--input", `l=${l}`]);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("No --input is given for r") });
});

test("--output writes each output to a file, and refuses a directory that holds another run's", async () => {
  const { directory, file } = workspace();
  const out = join(directory, "out");
  const args = [
    "run",
    file("views.ts", VIEWS),
    "--input",
    file("v.jsonl", WORKED),
    "--batch-size",
    "2",
    "--output",
    out,
  ];
  expect(await cli(args)).toMatchObject({ code: 0, stdout: "" });
  expect(jsonLines(readFileSync(join(out, "result.jsonl"), "utf8"))).toEqual([row("12:00", "12:05", 2)]);
  expect(jsonLines(readFileSync(join(out, "late.jsonl"), "utf8"))).toHaveLength(1);
  expect(await cli(args)).toMatchObject({ code: 1, stderr: expect.stringContaining("[output-exists]") });
});

test("a user function that throws ends the run with its message, and the rows before it are kept", async () => {
  const { directory, file } = workspace();
  const strict = (fails: string) =>
    file(
      "strict.ts",
      `import { columns, files, long, memory, readStream } from "tidemark";
       export const q = readStream(files({ name: "n", schema: columns({ n: long() }) }))
         .filter(({ n }) => { if (n === ${fails}) throw new Error("boom"); return true; })
         .writeStream({ queryName: "strict", outputMode: "append", sink: memory() });`,
    );
  const numbers = file("n.jsonl", [1, 2, 3].map((n) => `{"n":${n}}\n`).join(""));
  const out = join(directory, "out");
  const run = (query: string) =>
    cli(["run", query, "--input", numbers, "--output", out, "--checkpoint", join(directory, "checkpoint")]);
  const failed = await run(strict("3"));
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("boom");
  expect(failed.stderr).not.toContain("    at ");
  expect(await run(strict("99"))).toMatchObject({ code: 0 });
  expect(jsonLines(readFileSync(join(out, "result.jsonl"), "utf8"))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("a row of CSV with more cells than names is malformed with its reason, and the rows around it count", async () => {
  const { file } = workspace();
  const csv = "at,page\n2024-03-01T12:01:00Z,/\n2024-03-01T12:02:00Z,/,more\n2024-03-01T12:03:00Z,/\n";
  const args = ["run", file("views.ts", VIEWS), "--input", file("v.csv", csv), "--json", "--drain"];
  const { stdout } = await cli(args);
  expect(results(stdout)).toEqual([row("12:00", "12:05", 2)]);
  expect(jsonLines(stdout)).toContainEqual({
    output: "malformed",
    batchId: 1,
    row: expect.objectContaining({ reason: "too-many-cells", detail: "3 cells under 2 names" }),
  });
});
