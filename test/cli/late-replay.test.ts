import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileObjectStore } from "../../lib/checkpoint/file-object-store.js";
import { revisionsIn } from "../../lib/cli/late/revisions.js";
import { seededRandom } from "../../lib/local/seeded-random.js";
import { cli, jsonLines, workspace } from "./support.js";

const query = (delay: string, aggregates: string, grouping = 'window("at", "10 minutes", { slide: "5 minutes" })') => `
import * as tidemark from "tidemark";
const { avg, bitAnd, collectList, collectSet, columns, count, countDistinct, double, first, kinesis, last, long, max, min, minBy } = tidemark;
const { readStream, s3, stddev, string, sum, timestamp, window } = tidemark;

const Event = columns({ at: timestamp(), page: string(), n: long(), x: double() });
export const events = readStream(kinesis({ stream: "events", schema: Event }))
  .withWatermark("at", "${delay}")
  .groupBy(${grouping}, "page")
  .agg({ ${aggregates} })
  .writeStream({ queryName: "events", outputMode: "append", sink: s3() });
`;

const MERGEABLE = `rows: count(), some: count("n"), total: sum("n"), weight: sum("x"), mean: avg("n"), low: min("n"), high: max("x"),
  opener: first("n"), closer: last("n", { ignoreNulls: true }), list: collectList("n"), set: collectSet("n"), kinds: countDistinct("n"),
  bits: bitAnd("n"), best: minBy("page", "n")`;

function events(): string {
  const random = seededRandom(11);
  let text = "";
  for (let i = 0; i < 300; i++) {
    const minute = Math.max(0, Math.floor(i / 3 - random() ** 2 * 40));
    const at = new Date(Date.UTC(2024, 2, 1, 12, minute)).toISOString();
    const n = random() < 0.2 ? null : Math.floor(random() * 30);
    text += `${JSON.stringify({ at, page: random() < 0.5 ? "/a" : null, n, x: random() })}\n`;
  }
  return text;
}

type Result = Record<string, unknown> & { readonly window: object; readonly page: string | null };
const linesIn = (path: string) => jsonLines(readFileSync(path, "utf8")) as Result[];
const byGroup = (rows: readonly Result[]) => new Map(rows.map((row) => [JSON.stringify([row.window, row.page]), row]));

/** Results where a correction, if there is one, stands for the original. */
function corrected(originals: readonly Result[], corrections: readonly Result[]) {
  const rows = byGroup(originals);
  for (const { revision: _, lateRows, ...row } of corrections) {
    expect(lateRows).toBeGreaterThan(0);
    rows.set(JSON.stringify([row.window, row.page]), row as Result);
  }
  return rows;
}

async function runBoth(aggregates: string) {
  const { directory, file } = workspace();
  const input = file("events.jsonl", events());
  const [short, long] = [
    file("short.ts", query("2 minutes", aggregates)),
    file("long.ts", query("9 days", aggregates)),
  ];
  const run = (path: string, output: string) =>
    cli(["run", path, "--input", input, "--batch-size", "8", "--drain", "--output", join(directory, output)]);
  expect((await run(short, "out")).code).toBe(0);
  expect((await run(long, "exact")).code).toBe(0);
  const out = join(directory, "out");
  const exact = byGroup(linesIn(join(directory, "exact/result.jsonl")));
  expect(linesIn(join(out, "late.jsonl")).length).toBeGreaterThan(50);
  return { directory, file, input, short, out, exact };
}

test("results and late replay together are the exact backfill, row for row, for every aggregate that merges", async () => {
  const { short, out, exact } = await runBoth(MERGEABLE);
  const replay = () => cli(["late", "replay", short, "--late", out, "--results", out, "--json"]);
  const { code, stdout } = await replay();
  expect(code).toBe(0);
  const path = join(out, "corrected/revision-0001.jsonl");
  const corrections = linesIn(path);
  expect(JSON.parse(stdout)).toMatchObject({ revision: 1, written: corrections.length, windows: corrections.length });
  const originals = linesIn(join(out, "result.jsonl"));
  expect(corrected(originals, corrections)).toEqual(exact);
  expect(byGroup(originals)).not.toEqual(exact);

  const before = readFileSync(path, "utf8");
  expect(JSON.parse((await replay()).stdout)).toMatchObject({ revision: null, written: 0 });
  rmSync(path);
  await replay();
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("aggregates that no result tells are computed anew from the raw events", async () => {
  const { short, out, exact, input } = await runBoth('spread: stddev("n"), rows: count()');
  const refused = await cli(["late", "replay", short, "--late", out, "--results", out]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("what spread was made of")]);
  const { stdout } = await cli(["late", "replay", short, "--late", out, "--results", out, "--input", input]);
  expect(stdout).toContain("as revision 1");
  const corrections = linesIn(join(out, "corrected/revision-0001.jsonl"));
  expect(corrected(linesIn(join(out, "result.jsonl")), corrections)).toEqual(exact);
});

test("what cannot be corrected is refused in words", async () => {
  const { directory, file } = workspace();
  const late = file("late.jsonl", '{"row":{},"operator":"other","missedWindows":[]}\n');
  const sessions = file("s.ts", query("1 minute", "rows: count()", 'tidemark.sessionWindow("at", "5 minutes")'));
  const windows = file("w.ts", query("1 minute", "rows: count()"));
  const replay = (path: string, from: string) => cli(["late", "replay", path, "--late", from, "--results", from]);
  expect((await replay(sessions, late)).stderr).toContain("does not aggregate over fixed windows");
  expect((await replay(windows, late)).stderr).toContain("no late row of this query");
  expect((await replay(windows, join(directory, "nowhere"))).stderr).toContain("There are no JSON lines");
  expect((await cli(["late", "replay", windows])).code).toBe(2);
});

test("a late output that is fed to run is refused, for all its columns would be NULL", async () => {
  const { directory, file } = workspace();
  const path = file("w.ts", query("1 minute", "rows: count()"));
  const event = (minute: number) =>
    `${JSON.stringify({ at: new Date(Date.UTC(2024, 2, 1, 12, minute)).toISOString(), page: "/", n: 1, x: 1 })}\n`;
  const args = ["--batch-size", "1", "--output", join(directory, "out")];
  await cli(["run", path, "--input", file("events.jsonl", event(0) + event(50) + event(1)), ...args]);
  const late = join(directory, "out/late.jsonl");
  const { code, stderr } = await cli(["run", path, "--input", late]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("holds late rows as a query wrote them, not events")]);
  expect((await cli(["lateness", path, "--input", late])).code).toBe(1);
});

test("a revision is whole or not there, and holds what changed since the one before", async () => {
  const { directory } = workspace();
  const store = fileObjectStore(directory);
  const schema = { fields: [{ name: "n", type: "long" as const, nullable: false }] };
  const killed = revisionsIn({ ...store, put: () => Promise.reject(new Error("killed")) }, "", "jsonl");
  await expect(killed.write([{ n: 1 }], schema)).rejects.toThrow("killed");
  const revisions = revisionsIn(store, "", "jsonl");
  expect(await revisions.write([{ n: 1 }, { n: 2 }], schema)).toEqual({ revision: 1, rows: 2 });
  expect(await revisions.write([{ n: 1 }, { n: 3 }], schema)).toEqual({ revision: 2, rows: 1 });
  expect(await revisions.write([{ n: 1 }, { n: 3 }], schema)).toBeNull();
  expect(readFileSync(join(directory, "revision-0002.jsonl"), "utf8")).toBe('{"n":3,"revision":2}\n');
});
