import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { GetRecordsCommand, GetShardIteratorCommand, ListShardsCommand } from "@aws-sdk/client-kinesis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OutputRow, outputReader } from "../../demo/outputs.js";
import { BUCKET, TABLE } from "../../demo/run-job.js";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { type Stack, startStack } from "../../lib/local/stack.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";
import { cli, jsonLines } from "../cli/support.js";
import { pageViewsByHand, type StreamRecord } from "./page-views-by-hand.js";

const ROOT = resolve(import.meta.dirname, "../..");
const QUERY = "page-views-5min";
const KILLS = 10;
/** Enough that ten short lives do not finish them on a quick machine. */
const VIEWS = 40_000;

let directory: string;
const environment = { ...process.env };
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "tidemark-killed-"));
});
afterAll(() => {
  process.env = environment;
  rmSync(directory, { recursive: true, force: true });
});

function start(): { readonly child: ChildProcess; readonly output: () => string } {
  const options = [
    "--only",
    "page-views",
    "--page-views",
    String(VIEWS),
    "--batch-size",
    "800",
    "--data",
    directory,
    "--no-page",
  ];
  const child = spawn(process.execPath, ["--import", "tsx", "demo/start.ts", ...options], { cwd: ROOT });
  let text = "";
  const add = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  return { child, output: () => text };
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((done) => child.once("close", () => done()));

/** One in three dies at some moment of its start, the others amid their work, after the first output of theirs. */
async function killAtRandom(): Promise<NodeJS.Signals | null> {
  const { child, output } = start();
  if (Math.random() < 1 / 3) await wait(Math.random() * 900);
  else {
    while (!/^ {2}#\d/m.test(output()) && child.exitCode === null) await wait(10);
    await wait(Math.random() * 150);
  }
  child.kill("SIGKILL");
  await ended(child);
  return child.signalCode;
}

async function onStack<T>(look: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await startStack({ dataDir: directory });
  try {
    return await look(stack);
  } finally {
    await stack.stop();
  }
}

/** What the checkpoint says of its last commits, as anybody would ask: it remembers 64, so it is asked after every kill. */
async function remember(commits: Map<number, QueryProgress>): Promise<void> {
  await onStack(async ({ variables }) => {
    Object.assign(process.env, variables);
    const { stdout } = await cli(["progress", QUERY, "--table", TABLE, "--bucket", BUCKET, "--last", "64", "--json"]);
    for (const progress of jsonLines(stdout) as QueryProgress[]) commits.set(progress.batchId, progress);
  });
}

async function streamRecords({ clients: { kinesis } }: Stack): Promise<readonly StreamRecord[]> {
  const StreamName = "page-views";
  const { Shards = [] } = await kinesis.send(new ListShardsCommand({ StreamName }));
  const ShardId = Shards[0]!.ShardId;
  const first = await kinesis.send(
    new GetShardIteratorCommand({ StreamName, ShardId, ShardIteratorType: "TRIM_HORIZON" }),
  );
  const records: StreamRecord[] = [];
  for (let ShardIterator = first.ShardIterator; ShardIterator !== undefined; ) {
    const page = await kinesis.send(new GetRecordsCommand({ ShardIterator, Limit: 10_000 }));
    for (const { SequenceNumber, Data } of page.Records ?? [])
      records.push({ sequence: SequenceNumber!, data: Buffer.from(Data!).toString("utf8") });
    ShardIterator = page.MillisBehindLatest === 0 ? undefined : page.NextShardIterator;
  }
  return records;
}

/** The stream as it was cut by the commits. */
function inBatches(records: readonly StreamRecord[], commits: ReadonlyMap<number, QueryProgress>) {
  let from = 0;
  const batches = [...commits.values()]
    .sort((a, b) => a.batchId - b.batchId)
    .flatMap(({ sources }) => {
      const through = Object.values(sources[0]?.endOffset ?? {})[0];
      const end = records.findIndex(({ sequence }) => sequence === through) + 1;
      if (end <= from) return [];
      const batch = records.slice(from, end);
      from = end;
      return [batch];
    });
  expect(from).toBe(records.length);
  return batches;
}

const placesOf = (rows: readonly OutputRow[]) =>
  rows.map(({ source }) => (source as { readonly sequence: string }).sequence).sort();

it("killed ten times at random moments and started again, the demo's accounting closes and its windows are those of plain loops", async () => {
  const commits = new Map<number, QueryProgress>();
  const reached: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    expect(await killAtRandom()).toBe("SIGKILL");
    await remember(commits);
    reached.push(commits.size);
  }
  const last = start();
  await ended(last.child);
  expect(last.output()).toMatch(/page-views .* adds up/);
  expect(last.child.exitCode).toBe(0);
  await remember(commits);
  // Some kills came amid the work, or the test has shown nothing.
  const ids = [...commits.keys()].sort((a, b) => a - b);
  expect(new Set(reached.filter((size) => size > 0 && size < ids.length)).size).toBeGreaterThan(2);
  expect(ids).toEqual(Array.from(ids, (_, at) => at + 1));

  await onStack(async (stack) => {
    const expected = pageViewsByHand(inBatches(await streamRecords(stack), commits));
    const reader = outputReader(s3ObjectStore(stack.clients.s3, BUCKET));
    const results = await reader.newRows(`page-views/${QUERY}/`);
    const windows = results.map(({ window, page, views, dwell }) => [
      `${(window as { readonly start: string }).start}|${page}`,
      `${views}, ${dwell}`,
    ]);
    expect(windows.sort()).toEqual([...expected.windows].sort());
    expect(placesOf(await reader.newRows(`page-views/${QUERY}.late/`))).toEqual([...expected.late].sort());
    expect(placesOf(await reader.newRows(`page-views/${QUERY}.malformed/`))).toEqual([...expected.malformed].sort());
    expect(expected.late.length).toBeGreaterThan(0);
  });

  const again = start();
  await ended(again.child);
  expect(again.output()).toContain("all was done by an earlier run");
  expect(again.output()).toMatch(/page-views .* adds up/);
  expect(again.child.exitCode).toBe(0);
}, 240_000);
