/** A record of the stream, in the order of its shard. */
export interface StreamRecord {
  readonly sequence: string;
  readonly data: string;
}

export interface ByHand {
  /** `window start|page` → views and dwell. */
  readonly windows: ReadonlyMap<string, string>;
  /** Sequence numbers. */
  readonly late: readonly string[];
  readonly malformed: readonly string[];
}

const WINDOW = 5 * 60_000;
const DELAY = 10 * 60_000;

/** The page-view query as anyone would compute it: plain loops over the batches that were committed, none of the engine's code. */
export function pageViewsByHand(batches: readonly (readonly StreamRecord[])[]): ByHand {
  const windows = new Map<string, { views: number; dwell: number }>();
  const late: string[] = [];
  const malformed: string[] = [];
  let watermark = Number.NEGATIVE_INFINITY;
  for (const batch of batches) {
    let newest = Number.NEGATIVE_INFINITY;
    for (const { sequence, data } of batch) {
      const event = parse(data);
      if (event === null) {
        malformed.push(sequence);
        continue;
      }
      newest = Math.max(newest, event.time);
      const start = Math.floor(event.time / WINDOW) * WINDOW;
      if (start + WINDOW <= watermark) {
        late.push(sequence);
        continue;
      }
      const key = `${new Date(start).toISOString().replace(".000", "")}|${event.page}`;
      const group = windows.get(key) ?? { views: 0, dwell: 0 };
      windows.set(key, { views: group.views + 1, dwell: group.dwell + event.dwell });
    }
    watermark = Math.max(watermark, newest - DELAY);
  }
  const texts = [...windows].map(([key, { views, dwell }]) => [key, `${views}, ${dwell}`] as const);
  return { windows: new Map(texts), late, malformed };
}

function parse(data: string): { readonly time: number; readonly page: string; readonly dwell: number } | null {
  try {
    const { eventTime, page, durationMs } = JSON.parse(data) as Record<string, string | number>;
    const time = Date.parse(String(eventTime));
    return Number.isNaN(time) ? null : { time, page: String(page), dwell: Number(durationMs) };
  } catch {
    return null;
  }
}
