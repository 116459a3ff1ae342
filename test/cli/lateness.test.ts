import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LatenessReport } from "../../lib/index.js";
import { seededRandom } from "../../lib/local/seeded-random.js";
import { cli, jsonLines, VIEWS, view, workspace } from "./support.js";

const DELAYS = [2, 10, 25];

/** Three hours of views, each up to half an hour behind the front, three pages. */
function views(): string {
  const random = seededRandom(7);
  let text = "";
  for (let i = 0; i < 600; i++) {
    const minute = Math.max(0, Math.floor(i / 3.5 - random() ** 3 * 45));
    const time = `${String(12 + Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
    text += view(time, `/${Math.floor(random() * 3)}`);
  }
  return text;
}

const report = (stdout: string) => JSON.parse(stdout) as LatenessReport;

test("what it tells of a delay is what a run with that delay does, for two batch sizes", async () => {
  const { directory, file } = workspace();
  const input = file("v.jsonl", views());
  const query = (delay: number) => file(`q${delay}.ts`, VIEWS.replace("10 minutes", `${delay} minutes`));
  for (const size of ["7", "40"]) {
    const told = report(
      (await cli(["lateness", query(10), "--input", input, "--batch-size", size, "--delays", "2m,25m", "--json"]))
        .stdout,
    );
    for (const delay of size === "7" ? [10] : DELAYS) {
      const name = `${size}-${delay}`;
      const [output, checkpoint] = [join(directory, `o${name}`), join(directory, `c${name}`)];
      const where = ["--output", output, "--checkpoint", checkpoint, "--batch-size", size];
      await cli(["run", query(delay), "--input", input, ...where]);
      const late = jsonLines(readFileSync(join(output, "late.jsonl"), "utf8")) as {
        missedWindows: object[];
        row: { page: string };
      }[];
      const groups = new Set(
        late.flatMap(({ missedWindows, row }) => missedWindows.map((w) => JSON.stringify([w, row.page]))),
      );
      expect(late.length, name).toBeGreaterThan(delay === 25 ? 0 : 10);
      expect(
        told.candidates.find((candidate) => candidate.delay === delay * 60_000),
        name,
      ).toMatchObject({
        lateRows: late.length,
        lateShare: late.length / 600,
        lateGroups: groups.size,
        latency: (delay + 5) * 60_000,
      });
    }
    const peak = jsonLines(
      (await cli(["progress", "views", "--checkpoint", join(directory, `c${size}-10`), "--last", "64", "--json"]))
        .stdout,
    ).map((progress) => (progress as { stateOperators: { numRowsTotal: number }[] }).stateOperators[0]!.numRowsTotal);
    if (size === "40")
      expect(Math.max(...peak)).toBe(told.candidates.find(({ delay }) => delay === 600_000)?.peakStateRows);
  }
});

test("a person gets tables, and both kinds of lateness with the reason why they differ", async () => {
  const { file } = workspace();
  const input = file(
    "v.jsonl",
    '{"at":"2024-01-01T10:00:00Z","lag":5}\n{"at":"2024-01-01T10:30:00Z","lag":-5}\n{"at":"2024-01-01T10:15:00Z","lag":11}\n',
  );
  const args = ["lateness", "--time", "at", "--input", input, "--batch-size", "1"];
  const { stdout } = await cli([...args, "--arrival", "at + lag minutes"]);
  expect(stdout).toContain("lateness of at: 3 rows with an event time, in 3 micro-batches");
  expect(stdout).toMatch(/behind the highest event time so far +0s +15m +15m +15m +15m +15m\n/);
  expect(stdout).toMatch(/arrival less event time +5m +11m +11m/);
  expect(stdout).toContain("Recommended: 16m keeps 99.9 % of the rows; 0 would be late.");
  expect((await cli(args)).stdout).not.toContain("arrival less event time");
});

test("what cannot be measured is refused in words", async () => {
  const { file } = workspace();
  const [query, input] = [file("views.ts", VIEWS), file("v.jsonl", view("12:01"))];
  const plain = file(
    "plain.ts",
    VIEWS.replace('  .withWatermark("at", "10 minutes")\n', "").replace(/append|s3/g, (word) =>
      word === "s3" ? "console" : "update",
    ),
  );
  const refused = await cli(["lateness", plain, "--input", input]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("0 watermarks over 1 source")]);
  const arrival = await cli(["lateness", query, "--input", input, "--arrival", "nope"]);
  expect([arrival.code, arrival.stderr]).toEqual([2, expect.stringContaining("names the column 'nope'")]);
  expect((await cli(["lateness", query, "--input", input, "--keep", "0"])).code).toBe(2);
  const none = await cli(["lateness", "--time", "other", "--input", input]);
  expect(none.stdout).toBe("lateness of other: no row has an event time.\n");
});
