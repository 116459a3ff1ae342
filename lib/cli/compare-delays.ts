import type { QueryDefinition } from "../plan/logical-plan.js";
import { isKind, nodesUpwards } from "../plan/walk.js";
import type { QueryProgress } from "../runtime/progress.js";
import type { Sink } from "../sinks/sink.js";
import { shortDuration } from "../time/short-duration.js";
import { fileDeliveries } from "./file-deliveries.js";
import { memoryCheckpoint } from "./run-checkpoint.js";
import { type FileRun, openFileQuery } from "./run-files.js";
import { textTable } from "./text-table.js";
import { watermarksOf, withDelays } from "./watermark-delays.js";

/** What a run had with one delay. */
interface DelayRun {
  /** In ms. */
  readonly delay: number;
  readonly rows: number;
  readonly lateRows: number;
  readonly lateShare: number;
  readonly peakStateRows: number;
  /** The most that was in memory between two micro-batches, as progress reports it. */
  readonly peakStateBytes: number;
  /** In append mode, from a window's start to its row, in event time and ms; null without windows. */
  readonly latency: number | null;
}

const NOWHERE: Sink = {
  kind: "nowhere",
  target: "nowhere",
  wholeCommit: true,
  stage: () => [],
  publish: async () => {},
};

/** Runs a query with several delays side by side over one reading of the files. What they write is counted, and kept nowhere. */
export async function compareDelays(
  run: Pick<FileRun, "definition" | "inputs" | "readTable" | "batchSize" | "clock" | "onRead">,
  delays: readonly number[],
): Promise<readonly DelayRun[]> {
  const { definition, clock } = run;
  const count = watermarksOf(definition.plan).length;
  const runs = delays.map((delay) => ({
    definition: withDelays(definition, Array(count).fill(delay)),
    seen: { delay, rows: 0, lateRows: 0, peakStateRows: 0, peakStateBytes: 0, latency: latencyOf(definition, delay) },
  }));
  const opened = await Promise.all(
    runs.map(async ({ definition: delayed, seen }) => {
      const { query } = await openFileQuery({
        ...run,
        definition: delayed,
        checkpoint: memoryCheckpoint(clock.now),
        sinks: { result: NOWHERE, late: NOWHERE, malformed: NOWHERE },
        formerSink: async () => NOWHERE,
        onProgress: (progress) => note(seen, progress),
      });
      return query;
    }),
  );
  for await (const deliveries of fileDeliveries({ ...run, plan: definition.plan })) {
    for (const query of opened) {
      const { failure } = await query.processBatch(deliveries);
      if (failure !== undefined) throw failure;
    }
  }
  return runs.map(({ seen }) => ({ ...seen, lateShare: seen.rows === 0 ? 0 : seen.lateRows / seen.rows }));
}

function note(
  seen: { rows: number; lateRows: number; peakStateRows: number; peakStateBytes: number },
  { numInputRows, numLateInputRows, stateOperators }: QueryProgress,
): void {
  const total = (of: (operator: QueryProgress["stateOperators"][number]) => number) =>
    stateOperators.reduce((sum, operator) => sum + of(operator), 0);
  seen.rows += numInputRows;
  seen.lateRows += numLateInputRows;
  seen.peakStateRows = Math.max(
    seen.peakStateRows,
    total(({ numRowsTotal }) => numRowsTotal),
  );
  seen.peakStateBytes = Math.max(
    seen.peakStateBytes,
    total(({ memoryUsedBytes }) => memoryUsedBytes),
  );
}

function latencyOf({ plan, outputMode }: QueryDefinition, delay: number): number | null {
  const node = nodesUpwards(plan).findLast(isKind("aggregate"));
  if (node?.window === undefined || node.window.kind === "session" || outputMode !== "append") return null;
  return node.window.size / 1000 + delay;
}

export function delaysText(runs: readonly DelayRun[]): string {
  const n = (value: number) => value.toLocaleString("en");
  const cells = runs.map(({ delay, lateRows, lateShare, peakStateRows, peakStateBytes, latency }) => [
    shortDuration(delay),
    n(lateRows),
    lateShare === 0 ? "0" : (lateShare * 100).toPrecision(3),
    n(peakStateRows),
    n(Math.ceil(peakStateBytes / 1024)),
    latency === null ? "" : shortDuration(latency),
  ]);
  const names = ["delay", "late rows", "%", "peak state rows", "peak state KB", "window written after"];
  return `${textTable(names, cells).join("\n")}\n`;
}
