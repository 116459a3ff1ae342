import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { startStack } from "../lib/local/stack.js";
import { flightJob } from "./flight-job.js";
import { readFlights } from "./flight-table.js";
import type { Job } from "./job.js";
import { openLivePage } from "./live-page.js";
import { type DemoOptions, readOptions, USAGE } from "./options.js";
import { pageViewJob } from "./page-view-job.js";
import { partitionedJob } from "./partitioned-job.js";
import { BUCKET, folder, runJob } from "./run-job.js";
import { openScreen } from "./screen.js";
import { summaryLines, type Tally } from "./tally.js";

/** The pinned SDK runs on Node 20; its notice that later ones will not is no news to who only wants to see a window close. */
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

async function main(): Promise<number> {
  let options: DemoOptions | null;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (options === null) {
    process.stdout.write(USAGE);
    return 0;
  }

  const screen = openScreen(process.stdout);
  if (options.dataDir !== null) await mkdir(options.dataDir, { recursive: true });
  const page = options.page || screen.live ? await openLivePage(screen, options.page) : null;
  const stack = await startStack(options.dataDir === null ? {} : { dataDir: options.dataDir });
  try {
    const tallies: Tally[] = [];
    const jobs = await demoJobs(options, stack.dataFile("demo.json"));
    for (const job of jobs) page?.feed.query(job.queryName).status({ state: "starting", words: job.title });
    for (const job of jobs) tallies.push(await runJob(stack, job, options, screen, page));
    screen.line("");
    for (const line of summaryLines(tallies)) screen.line(line);
    for (const { files } of tallies) for (const file of files) screen.line(`file:    ${file}`);
    for (const job of jobs)
      screen.line(`results: s3://${BUCKET}/${folder(job, "")}  late rows: s3://${BUCKET}/${folder(job, ".late")}`);
    screen.line(
      options.dataDir === null
        ? "They were in memory and are gone now; --data DIR keeps them."
        : `Everything lies in ${options.dataDir}; started again with the same options, the run goes on from there.`,
    );
    if (page?.address != null && options.linger) {
      screen.line(`The page stays: ${page.address} (interrupt to end).`);
      await once(process, "SIGINT");
    }
    return tallies.every(({ adds }) => adds) ? 0 : 1;
  } finally {
    await page?.stop();
    await stack.stop();
  }
}

/** The generator's end is the wall clock of the first start: a resumed run must make the same events again. */
async function demoJobs(options: DemoOptions, settingsFile: string | null): Promise<readonly Job[]> {
  const settings = await rememberedSettings(
    { end: Date.now(), pageViews: options.pageViews, flights: options.flights },
    settingsFile,
  );
  const jobs: Job[] = [];
  if (options.jobs.has("page-views")) jobs.push(pageViewJob(settings.pageViews, settings.end));
  if (options.jobs.has("flights")) jobs.push(flightJob(await readFlights(settings.flights)));
  return jobs.map((job) => partitionedJob(job, options.partitions));
}

interface DemoSettings {
  readonly end: number;
  readonly pageViews: number;
  readonly flights: number;
}

async function rememberedSettings(fresh: DemoSettings, file: string | null): Promise<DemoSettings> {
  if (file === null) return fresh;
  try {
    return JSON.parse(await readFile(file, "utf8")) as DemoSettings;
  } catch {
    await writeFile(file, JSON.stringify(fresh));
    return fresh;
  }
}

process.exitCode = await main();
