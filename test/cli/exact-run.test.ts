import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededRandom } from "../../lib/local/seeded-random.js";
import { cli, jsonLines, row, VIEWS, view, workspace } from "./support.js";

const results = (directory: string) =>
  (jsonLines(readFileSync(join(directory, "result.jsonl"), "utf8")) as object[])
    .map((line) => JSON.stringify(line))
    .sort();

/** Two hours of views in an order that no delay of minutes fits. */
function shuffled(): string {
  const random = seededRandom(3);
  const times = Array.from({ length: 120 }, (_, minute) => minute).sort(() => random() - 0.5);
  const at = (minute: number) => `${12 + Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
  return times.map((minute) => view(at(minute), `/${minute % 2}`)).join("");
}

test("--exact: no row is late, and the results are those of a delay that is long enough", async () => {
  const { directory, file } = workspace();
  const [query, input] = [file("views.ts", VIEWS), file("v.jsonl", shuffled())];
  const sorted = file("sorted.jsonl", readFileSync(input, "utf8").split("\n").sort().join("\n"));
  const out = (name: string) => join(directory, name);
  const exact = [
    "run",
    query,
    "--input",
    input,
    "--batch-size",
    "7",
    "--exact",
    "--output",
    out("exact"),
    "--checkpoint",
    out("c"),
  ];
  const { code, stderr } = await cli(exact);
  expect(code).toBe(0);
  expect(stderr).toMatch(/no row is late, with a delay of 1h \d+m/);
  expect(stderr).toContain("120 records in");
  expect(stderr).toContain(" 0 late,");
  await cli(["run", query, "--input", sorted, "--drain", "--output", out("sorted")]);
  expect(results(out("exact"))).toEqual(results(out("sorted")));
  expect(results(out("exact")).length).toBe(48);

  expect((await cli(exact)).code).toBe(0);
  const other = await cli(exact.filter((word) => word !== "--exact"));
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("begun with --exact over other files")]);
});

test("--exact is refused where the delay is part of the answer, or nothing could be late", async () => {
  const { file } = workspace();
  const input = file("v.jsonl", view("12:01"));
  const refusal = async (text: string) => (await cli(["run", file("q.ts", text), "--input", input, "--exact"])).stderr;
  const deduplicated = VIEWS.replace(
    /\.groupBy[\s\S]*?\.writeStream/,
    '.dropDuplicatesWithinWatermark(["page"]).writeStream',
  );
  expect(await refusal(deduplicated)).toContain("with another delay it gives another answer");
  const plain = VIEWS.replace(/\.withWatermark[\s\S]*?\.writeStream/, ".writeStream");
  expect(await refusal(plain)).toContain("no row of it is ever late");
  const piped = await cli(["run", file("views.ts", VIEWS), "--input", "-", "--exact"]);
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining("Standard input can be read once only")]);
});

test("--from and --until take the events of a range, which alone move the watermark", async () => {
  const { directory, file } = workspace();
  const input = file("v.jsonl", view("12:01") + view("12:06") + view("12:07") + view("12:10") + view("23:00"));
  const args = ["run", file("views.ts", VIEWS), "--input", input, "--drain", "--output", join(directory, "out")];
  const { stderr } = await cli([...args, "--from", "2024-03-01T12:05:00Z", "--until", "2024-03-01T12:10:00Z"]);
  expect(stderr).toContain("3 filtered");
  expect(jsonLines(readFileSync(join(directory, "out/result.jsonl"), "utf8"))).toEqual([row("12:05", "12:10", 2)]);
  expect((await cli([...args, "--until", "soon"])).code).toBe(2);
});

test("--delays compares delays over one reading: what each loses and keeps is what a run with it does", async () => {
  const { file } = workspace();
  const [query, input] = [file("views.ts", VIEWS), file("v.jsonl", shuffled())];
  const args = ["run", query, "--input", input, "--batch-size", "10"];
  const { stdout } = await cli([...args, "--delays", "10m,2h", "--json"]);
  const { delays } = JSON.parse(stdout) as { delays: { delay: number; lateRows: number; peakStateRows: number }[] };
  const { stderr } = await cli(args);
  const late = Number(/, (\d+) late/.exec(stderr)?.[1]);
  expect(late).toBeGreaterThan(10);
  expect(delays).toMatchObject([
    { delay: 600_000, rows: 120, lateRows: late, lateShare: late / 120, latency: 900_000 },
    { delay: 7_200_000, rows: 120, lateRows: 0, lateShare: 0, peakStateRows: 48, latency: 7_500_000 },
  ]);
  expect((await cli([...args, "--delays", "10m", "--delays", "2h"])).stdout).toMatch(
    /^delay +late rows +% +peak state rows/,
  );
});

test("Ctrl-C ends a run between two micro-batches and says how to go on; what it wrote is whole", async () => {
  const { directory, file } = workspace();
  const [query, input] = [file("views.ts", VIEWS), file("v.jsonl", shuffled())];
  const args = ["run", query, "--input", input, "--batch-size", "10"];
  const stop = new AbortController();
  stop.abort();
  const kept = [...args, "--checkpoint", join(directory, "c"), "--output", join(directory, "out")];
  const interrupted = await cli(kept, { signal: stop.signal });
  expect([interrupted.code, interrupted.stderr]).toEqual([
    130,
    expect.stringContaining("the same command goes on from here"),
  ]);
  expect((await cli(args, { signal: stop.signal })).stderr).toContain("with --checkpoint DIR a run can be interrupted");
  expect((await cli(kept)).stderr).toContain("120 records");
});

test("--version is the package's", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect((await cli(["--version"])).stdout).toBe(`${version}\n`);
});
