import type { LogEntry } from "../../lib/checkpoint/entry-codec.js";
import type { SentRecord } from "./traffic.js";

export interface Answer {
  /** `window start, device` → `readings total`. */
  readonly result: ReadonlyMap<string, string>;
  /** `shard:sequence`. */
  readonly late: ReadonlySet<string>;
  readonly malformed: ReadonlySet<string>;
  readonly consumed: number;
}

const WINDOW_MS = 60_000;

/** What the committed order answers, in plain loops over the records as they were sent. */
export function bruteForce(entries: readonly LogEntry[], sent: readonly SentRecord[]): Answer {
  const shards = new Map<string, SentRecord[]>();
  for (const record of sent) {
    const shard = shards.get(record.shard);
    if (shard === undefined) shards.set(record.shard, [record]);
    else shard.push(record);
  }
  for (const shard of shards.values()) shard.sort((a, b) => (BigInt(a.sequence) < BigInt(b.sequence) ? -1 : 1));

  const consumed = new Set<SentRecord>();
  const groups = new Map<string, { readings: number; total: number }>();
  const late = new Set<string>();
  const malformed = new Set<string>();
  let watermark = Number.NEGATIVE_INFINITY;
  for (const entry of entries) {
    for (const { shard, first, last } of entry.offsets) {
      const records = shards.get(shard.slice(shard.indexOf("/") + 1)) ?? [];
      const from = records.findIndex(({ sequence }) => sequence === first.sequence);
      const to = records.findIndex(({ sequence }) => sequence === last.sequence);
      for (const record of records.slice(from, to + 1)) {
        if (consumed.has(record)) continue;
        consumed.add(record);
        const place = `${record.shard}:${record.sequence}`;
        if (record.row === null) malformed.add(place);
        else {
          const { eventTime, device, value } = record.row;
          const start = Math.floor(eventTime / WINDOW_MS) * WINDOW_MS;
          if (start + WINDOW_MS <= watermark) late.add(place);
          else {
            const key = `${new Date(start).toISOString()} ${device}`;
            const { readings, total } = groups.get(key) ?? { readings: 0, total: 0 };
            groups.set(key, { readings: readings + 1, total: total + value });
          }
        }
      }
    }
    watermark = entry.watermark;
  }
  const result = new Map([...groups].map(([key, { readings, total }]) => [key, `${readings} ${total}`]));
  return { result, late, malformed, consumed: consumed.size };
}
