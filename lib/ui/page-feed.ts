import type { Finding } from "../diagnosis/finding.js";
import type { QueryProgress } from "../runtime/progress.js";
import type { OpenWindow, OutputKind, OutputLine, PageMessage, QueryCard, QueryStatus, RecordDot } from "./messages.js";

const KEPT = Object.freeze({ progress: 600, dots: 4_000, rows: 400 });

/** What the page is told of one query; whoever runs or watches the query calls it. */
interface QueryFeed {
  card(card: QueryCard): void;
  status(status: QueryStatus): void;
  progress(progress: QueryProgress): void;
  idle(watermark: string | null, at: number): void;
  records(dots: readonly RecordDot[]): void;
  rows(output: OutputKind, rows: readonly OutputLine[]): void;
  windows(windows: readonly OpenWindow[]): void;
  findings(findings: readonly Finding[]): void;
}

/** The last of everything, in bounded memory, and who listens. */
export interface PageFeed {
  query(name: string): QueryFeed;
  /** All that is known, as a page that has just been opened needs it. */
  snapshot(): readonly PageMessage[];
  subscribe(listener: (message: PageMessage) => void): () => void;
  /** Whether any page is open: who samples records or reads state asks first. */
  isWatched(): boolean;
}

interface Kept {
  card: PageMessage | null;
  status: PageMessage | null;
  windows: PageMessage | null;
  findings: PageMessage | null;
  progress: QueryProgress[];
  dots: RecordDot[];
  readonly rows: Record<OutputKind, OutputLine[]>;
}

export function pageFeed(): PageFeed {
  const listeners = new Set<(message: PageMessage) => void>();
  const queries = new Map<string, Kept>();
  const tell = <Message extends PageMessage>(message: Message): Message => {
    for (const listener of listeners) listener(message);
    return message;
  };

  const query = (name: string): QueryFeed => {
    const kept: Kept = queries.get(name) ?? {
      card: null,
      status: null,
      windows: null,
      findings: null,
      progress: [],
      dots: [],
      rows: { result: [], late: [], malformed: [] },
    };
    queries.set(name, kept);
    return {
      card(card) {
        kept.card = tell({ type: "query", query: name, card });
      },
      status(status) {
        kept.status = tell({ type: "status", query: name, status });
      },
      progress(progress) {
        kept.progress = lastOf([...kept.progress, progress], KEPT.progress);
        tell({ type: "progress", query: name, progress: [progress] });
      },
      idle(watermark, at) {
        tell({ type: "idle", query: name, watermark, at });
      },
      records(dots) {
        kept.dots = lastOf([...kept.dots, ...dots], KEPT.dots);
        tell({ type: "records", query: name, dots });
      },
      rows(output, rows) {
        kept.rows[output] = lastOf([...kept.rows[output], ...rows], KEPT.rows);
        tell({ type: "rows", query: name, output, rows: lastOf(rows, KEPT.rows) });
      },
      windows(windows) {
        kept.windows = tell({ type: "windows", query: name, windows });
      },
      findings(findings) {
        kept.findings = tell({ type: "findings", query: name, findings });
      },
    };
  };

  return {
    query,
    snapshot: () => [...queries].flatMap(([name, kept]) => snapshotOf(name, kept)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isWatched: () => listeners.size > 0,
  };
}

function snapshotOf(query: string, kept: Kept): readonly PageMessage[] {
  const rows = (["result", "late", "malformed"] as const).map(
    (output): PageMessage => ({ type: "rows", query, output, rows: kept.rows[output] }),
  );
  return [
    ...[kept.card, kept.status].filter((message) => message !== null),
    { type: "progress", query, progress: kept.progress },
    { type: "records", query, dots: kept.dots },
    ...rows,
    ...[kept.windows, kept.findings].filter((message) => message !== null),
  ];
}

const lastOf = <T>(items: readonly T[], many: number): T[] => items.slice(Math.max(0, items.length - many));
