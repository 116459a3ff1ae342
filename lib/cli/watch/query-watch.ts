import { diagnose } from "../../diagnosis/diagnose.js";
import type { FailedRecord } from "../../diagnosis/finding.js";
import type { QueryDefinition } from "../../plan/logical-plan.js";
import { isKind, nodesUpwards } from "../../plan/walk.js";
import { warningsOf } from "../../plan/warnings-of.js";
import type { QueryProgress } from "../../runtime/progress.js";
import type { KinesisEvent } from "../../sources/kinesis-event.js";
import type { OutputKind } from "../../ui/messages.js";
import type { PageFeed } from "../../ui/page-feed.js";
import { planGraph } from "../../ui/plan-graph.js";
import type { OutputLook } from "./output-look.js";
import { pickRecords, recordDecoder } from "./record-sample.js";
import type { WindowLook } from "./window-look.js";

const EVERY_MS = 400;
const KEPT = 64;
/** Events whose records are decoded once a page is opened. */
const EVENTS_KEPT = 40;

export interface QueryWatch {
  progress(progress: QueryProgress): void;
  /** What the function is about to be invoked with. */
  event(event: unknown): void;
  failed(record: FailedRecord): void;
  /** Waits for what an open page has still to be told; looks go on. */
  settle(): Promise<void>;
  stop(): void;
}

interface QueryWatchOptions {
  readonly definition: QueryDefinition;
  readonly title: string;
  readonly feed: PageFeed;
  readonly outputs: OutputLook;
  readonly windows: WindowLook | null;
  readonly takesRecords?: readonly string[];
}

const OUTPUTS: readonly OutputKind[] = ["result", "late", "malformed"];

/**
 * Shows one query on the page, from what it says (progress) and what it leaves (outputs, checkpoint). Looks are taken only while a
 * page is open, at most every 400 ms, and one at a time; none is in the query's way.
 */
export function watchQuery(options: QueryWatchOptions): QueryWatch {
  const { definition, feed, outputs, windows } = options;
  const { queryName } = definition;
  const shown = feed.query(queryName);
  const decode = recordDecoder(definition);
  let events: KinesisEvent[] = [];
  const recent: QueryProgress[] = [];
  const failedRecords: FailedRecord[] = [];
  let news = true;
  let looking: Promise<void> | null = null;

  shown.card({
    name: queryName,
    title: options.title,
    outputMode: definition.outputMode,
    delayMs: delayOf(definition),
    plan: planGraph(definition.plan),
    warnings: warningsOf(definition.plan, definition.outputMode),
    takesRecords: options.takesRecords ?? [],
    places: { result: outputs.place("result"), late: outputs.place("late"), malformed: outputs.place("malformed") },
  });

  const judge = () => shown.findings(diagnose({ progress: recent, now: Date.now(), failedRecords }));
  const look = async (): Promise<void> => {
    news = false;
    for (const output of OUTPUTS) {
      const rows = await outputs.newRows(output);
      if (rows.length > 0) shown.rows(output, rows);
    }
    if (windows !== null && recent.length > 0) shown.windows(await windows());
    judge();
  };
  const showRecords = () => {
    const dots = events.flatMap(decode);
    events = [];
    if (dots.length > 0) shown.records(dots);
  };
  const lookSoon = () => {
    if (!feed.isWatched()) return;
    showRecords();
    if (!news || looking !== null) return;
    // What cannot be read now is looked at again with the next batch: the page is no reason for the query to fail.
    looking = look()
      .catch(() => {})
      .finally(() => {
        looking = null;
      });
  };
  const timer = setInterval(lookSoon, EVERY_MS);
  timer.unref();

  return {
    progress(progress) {
      recent.push(progress);
      if (recent.length > KEPT) recent.shift();
      news = true;
      shown.progress(progress);
    },
    event(event) {
      const picked = pickRecords(event);
      if (picked === null) return;
      events.push(picked);
      if (events.length > EVENTS_KEPT) events.shift();
    },
    failed(record) {
      failedRecords.push(record);
      if (failedRecords.length > KEPT) failedRecords.shift();
      judge();
    },
    async settle() {
      await looking;
      if (!feed.isWatched()) return;
      showRecords();
      await look().catch(() => {});
    },
    stop: () => clearInterval(timer),
  };
}

/** The longest of the plan, in ms: the band above the watermark. */
const delayOf = ({ plan }: QueryDefinition): number | null => {
  const delays = nodesUpwards(plan)
    .filter(isKind("withWatermark"))
    .map(({ delayMs }) => delayMs);
  return delays.length === 0 ? null : Math.max(...delays);
};
