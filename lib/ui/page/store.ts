import type { Finding } from "../../diagnosis/finding.js";
import type { QueryProgress } from "../../runtime/progress.js";
import type {
  LateMark,
  OpenWindow,
  OutputKind,
  OutputLine,
  PageMessage,
  QueryCard,
  QueryStatus,
  RecordDot,
} from "../messages.js";

const KEPT = Object.freeze({ progress: 600, dots: 4_000, rows: 400 });

export interface LateRow extends LateMark {
  readonly batchId: number | null;
}

/** What the page knows of one query. */
export interface QueryView {
  readonly name: string;
  card: QueryCard | null;
  status: QueryStatus | null;
  progress: QueryProgress[];
  idle: { readonly watermark: string | null; readonly at: number } | null;
  dots: RecordDot[];
  readonly rows: Record<OutputKind, OutputLine[]>;
  /** By shard and sequence number. */
  readonly late: Map<string, LateRow>;
  windows: readonly OpenWindow[];
  /** Windows that were open a moment ago, by start, and when they closed. */
  readonly closed: Map<number, { readonly window: OpenWindow; readonly at: number }>;
  findings: readonly Finding[];
}

export interface Store {
  readonly queries: ReadonlyMap<string, QueryView>;
  apply(messages: readonly PageMessage[]): void;
  /** Forgets all: the server tells it again. */
  clear(): void;
}

export function createStore(): Store {
  const queries = new Map<string, QueryView>();
  const viewOf = (name: string): QueryView => {
    const known = queries.get(name);
    if (known !== undefined) return known;
    const view = emptyView(name);
    queries.set(name, view);
    return view;
  };
  return {
    queries,
    apply(messages) {
      for (const message of messages) apply(viewOf(message.query), message);
    },
    clear: () => queries.clear(),
  };
}

const emptyView = (name: string): QueryView => ({
  name,
  card: null,
  status: null,
  progress: [],
  idle: null,
  dots: [],
  rows: { result: [], late: [], malformed: [] },
  late: new Map(),
  windows: [],
  closed: new Map(),
  findings: [],
});

function apply(view: QueryView, message: PageMessage): void {
  switch (message.type) {
    case "query":
      view.card = message.card;
      break;
    case "status":
      view.status = message.status;
      break;
    case "progress":
      view.progress = last([...view.progress, ...message.progress], KEPT.progress);
      break;
    case "idle":
      view.idle = message;
      break;
    case "records":
      view.dots = last([...view.dots, ...message.dots], KEPT.dots);
      break;
    case "rows":
      view.rows[message.output] = last([...view.rows[message.output], ...message.rows], KEPT.rows);
      for (const { late, batchId } of message.rows)
        if (late !== undefined) view.late.set(placeKey(late.shard ?? "", late.sequence ?? ""), { ...late, batchId });
      break;
    case "windows":
      applyWindows(view, message.windows);
      break;
    case "findings":
      view.findings = message.findings;
      break;
  }
}

function applyWindows(view: QueryView, windows: readonly OpenWindow[]): void {
  const open = new Set(windows.map(({ start }) => start));
  for (const window of view.windows)
    if (!open.has(window.start)) view.closed.set(window.start, { window, at: performance.now() });
  view.windows = windows;
}

export const placeKey = (shard: string, sequence: string): string => `${shard}|${sequence}`;

const last = <T>(items: T[], many: number): T[] => items.slice(Math.max(0, items.length - many));

/** ISO instant; null before the first row. */
export const watermarkOf = ({ progress, idle }: QueryView): string | null =>
  idle !== null && idle.at > Date.parse(progress.at(-1)?.timestamp ?? "1970-01-01")
    ? idle.watermark
    : (progress.findLast(({ eventTime }) => eventTime.watermark !== null)?.eventTime.watermark ?? null);
