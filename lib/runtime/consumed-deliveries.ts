import type { OffsetUpdate } from "../checkpoint/offsets.js";
import { shardKey } from "../checkpoint/registers.js";
import type { Delivery } from "../sources/source.js";
import type { EventTime } from "../time/event-time.js";
import type { Selection } from "./feed.js";

export interface HeartbeatSeen {
  readonly source: string;
  readonly shard: string;
  readonly arrival: number | null;
  readonly eventTime: EventTime;
}

interface ConsumedDeliveries {
  /** How far each delivery was read: arrival of its last consumed record. */
  readonly reads: readonly { readonly delivery: Delivery; readonly readTo: number | null }[];
  /** A delivery of which everything is skipped records nothing (protocol.md rule 4). */
  readonly offsets: readonly OffsetUpdate[];
  readonly heartbeats: readonly HeartbeatSeen[];
}

/** What the records before `limit` say about their shards. */
export function consumedDeliveries({ input, consumed }: Selection, limit: number): ConsumedDeliveries {
  const reads: { delivery: Delivery; readTo: number | null }[] = [];
  const offsets: OffsetUpdate[] = [];
  const heartbeats: HeartbeatSeen[] = [];
  for (const { delivery, first, ...range } of input.ranges) {
    if (first >= limit) break;
    const end = Math.min(limit, range.end);
    if (end === first) continue;
    reads.push({ delivery, readTo: input.arrivals[end - 1] ?? null });
    if (consumed.subarray(first, end).some((mark) => mark === 0)) {
      const [from, to] = [input.records[first]!, input.records[end - 1]!];
      offsets.push({
        shard: shardKey(delivery.source, delivery.shard),
        first: { sequence: from.sequence, sub: from.sub },
        last: { sequence: to.sequence, sub: to.sub },
      });
    }
    for (const [at, eventTime] of input.heartbeats) {
      if (at < first || at >= end || consumed[at] === 1) continue;
      heartbeats.push({
        source: delivery.source,
        shard: delivery.shard,
        arrival: input.arrivals[at] ?? null,
        eventTime,
      });
    }
  }
  return { reads, offsets, heartbeats };
}
