import { setTimeout as wait } from "node:timers/promises";
import { s3ObjectStore } from "../lib/checkpoint/s3-object-store.js";
import { bundleToTemporaryFile } from "../lib/cli/bundle.js";
import { plainText } from "../lib/cli/plain-text.js";
import { functionLog } from "../lib/cli/watch/function-log.js";
import { childEnvironment } from "../lib/local/child-environment.js";
import { createQueryResources, deployQuery } from "../lib/local/deployment.js";
import { functionPool } from "../lib/local/function-pool.js";
import type { Stack } from "../lib/local/stack.js";
import type { QueryProgress } from "../lib/runtime/progress.js";
import type { Job } from "./job.js";
import type { LivePage } from "./live-page.js";
import { type OutputRow, outputReader } from "./outputs.js";
import { publish } from "./producer.js";
import type { Screen } from "./screen.js";
import { type Tally, tally } from "./tally.js";
import { writeOutputs } from "./write-outputs.js";

export const BUCKET = "tidemark-demo";
export const TABLE = "tidemark-demo";

/** Unread records the producer lets stand before it waits: windows should close while you watch. */
const BACKLOG_BATCHES = 4;

export interface JobOptions {
  readonly batchSize: number;
  /** State partitions of the job's query; 1 by default. */
  readonly partitions?: number;
  /** How long a batch may wait to be full; 0 by default: windows should close while you watch. */
  readonly batchingWindowMs?: number;
  /** Leaves results, late rows and malformed records here as files. */
  readonly dataDir?: string | null;
}

/** Publishes, processes, shows, drains; returns the account of what lies in the bucket. */
export async function runJob(
  stack: Stack,
  job: Job,
  options: JobOptions,
  screen: Screen,
  page: LivePage | null = null,
): Promise<Tally> {
  const { batchSize, partitions = 1, batchingWindowMs = 0 } = options;
  screen.line(`\n${job.title}`);
  await stack.createStream(job.stream);
  const store = s3ObjectStore(stack.clients.s3, BUCKET);
  const reader = outputReader(store);
  const bundle = await bundleToTemporaryFile(job.queryFile);
  // The page shows one log.
  const watch = page === null || partitions > 1 ? null : await page.watch(stack, job);
  const status = page?.feed.query(job.queryName).status;
  const atOnce = Math.min(500, Math.max(100, Math.floor(job.total / 100)));
  const seen = { delivered: 0, watermark: "none yet", batches: 0 };
  let shown: Promise<void> = Promise.resolve();

  const onProgress = (progress: QueryProgress) => {
    watch?.progress(progress);
    // The state stage sees the same rows again.
    if (progress.stage?.name !== "state") seen.delivered += progress.decodedRecords + progress.malformedRows;
    seen.batches = Math.max(seen.batches, progress.batchId);
    seen.watermark = progress.eventTime.watermark ?? seen.watermark;
    shown = shown.then(() => show(progress));
  };
  const show = async ({ batchId, numLateInputRows, malformedRows, sink }: QueryProgress) => {
    const at = `#${batchId}`.padEnd(6);
    if (sink.numOutputRows > 0) {
      const results = await reader.newRows(folder(job, ""));
      if (results.length > 0)
        screen.event(`  ${at} closed    ${job.closed(results)}   watermark ${seen.watermark.slice(0, 19)}`);
    }
    if (numLateInputRows > 0) {
      const late = await reader.newRows(folder(job, ".late"));
      if (late.length > 0) screen.event(`  ${at} late      ${late.length}, e.g. ${brief(late[0]!)}`);
    }
    if (malformedRows > 0) {
      const malformed = await reader.newRows(folder(job, ".malformed"));
      for (const row of malformed)
        screen.event(`  ${at} malformed ${row["reason"]}: ${plainText(String(row["detail"]))}`);
    }
  };

  const shuffle = partitions === 1 ? null : { stream: `${job.queryName}-shuffle`, shards: 2 };
  const resources = { table: TABLE, bucket: BUCKET, ...(shuffle === null ? {} : { shuffle }) };
  const variables = {
    ...(await createQueryResources(stack, resources)),
    DEMO_PARTITIONS: String(partitions),
    POWERTOOLS_METRICS_DISABLED: "true",
  };
  const newEnvironment = () =>
    childEnvironment({
      handlerFile: bundle.file,
      functionName: job.queryName,
      memoryMb: 1_769,
      variables,
      onOutput: functionLog(onProgress, (message) => screen.line(`  failed    ${message}`)),
    });
  // Two stages run side by side.
  const environment = shuffle === null ? newEnvironment() : functionPool(newEnvironment);
  const started = performance.now();
  const deployment = await deployQuery({
    stack,
    name: job.queryName,
    streams: [job.stream],
    ...(shuffle === null ? {} : { shuffleStream: shuffle.stream }),
    function: {
      ...environment,
      invoke(event) {
        watch?.event(event);
        return environment.invoke(event);
      },
    },
    mapping: { batchSize, batchingWindowMs },
    tickMs: 0,
  });
  status?.({ state: "running", words: job.title });
  const unfollow = watch === null ? () => {} : screen.follow(page!.feed, job.queryName, job.total);
  try {
    let before: number | undefined;
    let published = 0;
    await publish(
      stack.clients.kinesis,
      job.stream,
      job.records(),
      atOnce,
      (count) => {
        before ??= count;
        published = count - before;
      },
      async () => {
        if (page?.address != null) await wait(job.paceMs);
        for (let waits = 0; published - seen.delivered > BACKLOG_BATCHES * batchSize && waits < 200; waits++)
          await wait(5);
      },
    );
    await deployment.whenCaughtUp();
    const seconds = (performance.now() - started) / 1000;
    await deployment.drain();
    await wait(50);
    await shown;
    await watch?.settle();
    unfollow();
    status?.({ state: "done", words: "all is read, and drained" });
    screen.line(
      seen.batches === 0
        ? "  all was done by an earlier run"
        : "  all is read, and drained, so that the last windows closed too",
    );
    const effort = { seconds, batches: seen.batches, rows: seen.delivered };
    const { dataDir = null } = options;
    const files = dataDir === null ? [] : await writeOutputs(outputReader(store), job, dataDir);
    return { ...(await tally(outputReader(store), job, effort)), files };
  } finally {
    unfollow();
    await deployment.stop();
    await bundle.remove();
  }
}

export const folder = (job: Pick<Job, "prefix" | "queryName">, side: string): string =>
  `${job.prefix}${job.queryName}${side}/`;

function brief(late: OutputRow): string {
  const [missed] = late["missedWindows"] as readonly { readonly start: string; readonly end: string }[];
  const behind = Math.round(Number(late["lateByMs"]) / 60_000);
  return `${String(late["eventTime"])} came ${behind} min behind the watermark and missed the window that ended ${missed?.end.slice(11, 16)}`;
}
