import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { QueryProgress } from "../../lib/runtime/progress.js";
import type { OutputLine } from "../../lib/ui/messages.js";
import { type PageFeed, pageFeed } from "../../lib/ui/page-feed.js";
import { type PageFile, readPageFiles } from "../../lib/ui/page-files.js";
import { type PageServer, startPageServer } from "../../lib/ui/page-server.js";
import { launchBrowser } from "./browser.js";

const browser = await launchBrowser();
const NOON = Date.UTC(2026, 10, 30, 12);
const MINUTE = 60_000;
const iso = (minute: number) => new Date(NOON + minute * MINUTE).toISOString();

let files: ReadonlyMap<string, PageFile>;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tidemark-page-"));
  const build = [
    "build",
    "--config",
    "vite.page.config.ts",
    "--logLevel",
    "error",
    "--outDir",
    folder,
    "--emptyOutDir",
  ];
  await promisify(execFile)("node_modules/.bin/vite", build);
  files = readPageFiles(folder);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

let feed: PageFeed;
let server: PageServer;
let page: Page;
const complaints: string[] = [];
beforeEach(async () => {
  if (browser === null) return;
  complaints.length = 0;
  feed = pageFeed();
  server = await startPageServer({ feed, port: 0, files, putRecord: async () => {} });
  page = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 800 } });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
});
afterEach(async () => {
  await page?.close();
  await server?.stop();
});

const views = () => feed.query("views");

function begin(): void {
  views().card({
    name: "views",
    title: "Views",
    outputMode: "append",
    delayMs: 10 * MINUTE,
    plan: [
      { id: 0, kind: "source", text: "source web (kinesis)", inputs: [], column: 0, operatorId: null, source: "web" },
      { id: 1, kind: "aggregate", text: "groupBy page", inputs: [0], column: 1, operatorId: "agg", source: null },
    ],
    warnings: [],
    takesRecords: ["web"],
    places: {
      result: "s3://bucket/views/",
      late: "s3://bucket/views.late/",
      malformed: "s3://bucket/views.malformed/",
    },
  });
  views().status({ state: "running", words: "" });
}

const progress = (batchId: number, watermark: number, more: object = {}): QueryProgress =>
  ({
    name: "views",
    batchId,
    timestamp: iso(batchId),
    numInputRows: 100,
    inputRowsPerSecond: 10,
    processedRowsPerSecond: 50,
    durationMs: { decode: 1, load: 2, run: 3, stage: 1, addBatch: 4, commit: 5, publish: 6 },
    eventTime: { min: iso(watermark), max: iso(watermark + 12), watermark: iso(watermark) },
    stateOperators: [
      { operatorId: "agg", numRowsTotal: 7, numRowsRemoved: 2, numLateInputRows: 1, rowsIn: 100, memoryUsedBytes: 900 },
    ],
    sources: [],
    sink: { description: "s3", numOutputRows: 3 },
    numLateInputRows: 1,
    malformedRows: 0,
    withoutTimeRows: 0,
    conflicts: 0,
    heldBackBy: null,
    watermarks: [],
    stateBytes: 900,
    ...more,
  }) as unknown as QueryProgress;

const line = (row: object, more: Partial<OutputLine> = {}): OutputLine => {
  const text = JSON.stringify(row);
  return { text, length: text.length, object: "s3://bucket/views/1.jsonl.gz", batchId: 1, ...more };
};

const lateLine = (): OutputLine =>
  line(
    { row: { page: "/late" }, lateByMs: 4 * MINUTE },
    {
      late: {
        shard: "a",
        sequence: "7",
        eventTime: NOON - 20 * MINUTE,
        lateByMs: 4 * MINUTE,
        missed: [[NOON - 20 * MINUTE, NOON - 15 * MINUTE]],
      },
    },
  );

/** How many pixels of the plot are as red as a late row. */
const redPixels = () =>
  page.evaluate<number>(`{
    const canvas = document.querySelector("canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let red = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at] > 180 && data[at + 1] < 120 && data[at + 2] < 130 && data[at + 3] > 200) red++;
    red;
  }`);

const dot = (sequence: string, minute: number) => ({
  source: "web",
  shard: "a",
  sequence,
  arrival: NOON + minute * MINUTE,
  eventTime: NOON + minute * MINUTE - 5_000,
  ignored: false,
});

describe.skipIf(browser === null)("the page in a browser", () => {
  it("shows a window close before one's eyes, and a late row turn red", async () => {
    begin();
    const open = (start: number) => ({
      start: NOON + start * MINUTE,
      end: NOON + (start + 5) * MINUTE,
      groups: 2,
      rows: 40,
    });
    views().progress(progress(1, -15));
    views().records([dot("6", -1), { ...dot("7", 0), eventTime: NOON - 20 * MINUTE }, dot("8", 1)]);
    views().windows([open(-5), open(0)]);
    await page.goto(server.address);
    const windows = page.getByRole("listitem").filter({ hasText: "11:55–12:00" });
    await windows.getByText("in 15 min").waitFor();
    await expect.poll(redPixels).toBe(0);
    views().progress(progress(2, 1));
    views().windows([open(0)]);
    views().rows("late", [lateLine()]);
    await windows.getByText("closed").waitFor();
    await expect.poll(redPixels).toBeGreaterThan(20);
    await page.getByRole("img", { name: /^3 records by arrival and event time, 1 of them late/ }).waitFor();
    // Step to it by the keyboard, and hear what it missed.
    await page.locator("#scatter").press("ArrowRight");
    await page.getByText("missed the window 11:40–11:45").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("has all six parts without scrolling at 1280 × 800, and nothing wider than the screen at 390", async () => {
    begin();
    for (let batch = 1; batch < 12; batch++) views().progress(progress(batch, batch));
    views().findings([
      {
        signature: "idle-input",
        severity: "error",
        subject: "web/a",
        evidence: "web/a holds it.",
        remedy: "Send heartbeats.",
      },
    ]);
    await page.goto(server.address);
    await page.getByText("idle input").waitFor();
    for (const name of [
      "Diagnosis",
      "Event time against arrival",
      "Open windows",
      "Counters over time",
      "Outputs",
      "Plan",
    ]) {
      const box = await page.getByRole("region", { name }).boundingBox();
      expect(box!.y + box!.height, name).toBeLessThanOrEqual(800);
      expect(box!.height, name).toBeGreaterThan(30);
    }
    const overflow = () =>
      page.evaluate<number[]>(
        "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]",
      );
    expect(await overflow()).toEqual([0, 0]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(async () => (await overflow())[0]).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("takes script, markup and a megabyte in a payload for text", async () => {
    begin();
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    views().rows("result", [
      line({ page: hostile }),
      { text: `{"page":"${"x".repeat(4_000)}`, length: 1_048_576, object: `s3://bucket/${hostile}`, batchId: 1 },
    ]);
    views().status({ state: "failed", words: hostile });
    views().findings([
      { signature: "failing-shard", severity: "error", subject: hostile, evidence: hostile, remedy: hostile },
    ]);
    await page.goto(server.address);
    await page.locator("summary").first().click();
    await page.getByText("(1,048,576 characters)").waitFor();
    await page.getByText(hostile).first().waitFor();
    expect(await page.locator("main img, main script, #findings img, #findings script").count()).toBe(0);
    expect(await page.title()).toBe("views · Tidemark");
    expect(complaints).toEqual([]);
  });

  it("names its controls for those who hear the page, and is worked by the keyboard", async () => {
    begin();
    views().rows("late", [lateLine()]);
    await page.goto(server.address);
    const results = page.getByRole("tab", { name: /^Results/ });
    await results.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.getByRole("tab", { selected: true, name: /^Late rows/ }).count()).toBe(1);
    await page.getByText("4 min behind").waitFor();
    await page.locator("summary").first().focus();
    await page.keyboard.press("Enter");
    await page.locator("details[open] pre").waitFor();
    await page.getByRole("searchbox", { name: "Search the rows" }).fill("nothing like it");
    await page.getByText("No row holds that text.").waitFor();
    await page.getByRole("textbox", { name: "The record's payload" }).fill('{"page":"/"}');
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Sent.").waitFor();
    const unnamed = await page.evaluate<string[]>(`
      [...document.querySelectorAll("button, input, select, textarea, canvas")]
        .filter((each) => each.checkVisibility())
        .filter((each) => !each.closest("[role=img][aria-label]"))
        .filter((each) => !(each.getAttribute("aria-label") || each.textContent || each.labels?.length))
        .map((each) => each.outerHTML)`);
    expect(unnamed).toEqual([]);
  });

  it("keeps up with a thousand records in a second", async () => {
    begin();
    await page.goto(server.address);
    await page.getByText("live").waitFor();
    for (let batch = 1; batch <= 10; batch++) {
      views().records(Array.from({ length: 100 }, (_, at) => dot(`${batch}-${at}`, batch + at / 100)));
      views().progress(progress(batch, batch - 10));
    }
    await page.getByRole("img", { name: /^1000 records/ }).waitFor();
    const frames = await page.evaluate<number>(`new Promise((done) => {
      let count = 0;
      const next = () => (++count === 10 ? done(count) : requestAnimationFrame(next));
      requestAnimationFrame(next);
    })`);
    expect(frames).toBe(10);
    expect(complaints).toEqual([]);
  });

  it("comes back by itself when the server has started again, with what it tells then", async () => {
    begin();
    views().progress(progress(1, 1));
    await page.goto(server.address);
    await page.getByText("#1", { exact: true }).waitFor();
    const port = Number(new URL(server.address).port);
    await server.stop();
    await page.getByText("disconnected, trying again").waitFor();
    feed = pageFeed();
    begin();
    views().progress(progress(5, 1));
    server = await startPageServer({ feed, port, files });
    await page.getByText("#5", { exact: true }).waitFor({ timeout: 15_000 });
    await expect.poll(() => page.locator("#connection").textContent()).toBe("live");
  });
});
