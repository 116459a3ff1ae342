import type { OffsetUpdate } from "../checkpoint/offsets.js";
import type { Delivery } from "../sources/source.js";
import type { EventTime } from "../time/event-time.js";
import type { Selection } from "./feed.js";
import { shardKey } from "./shard-registers.js";

export interface HeartbeatSeen {
  readonly source: string;
  readonly shard: string;
  readonly arrival: number | null;
  readonly eventTime: EventTime;
}

export interface ConsumedDeliveries {
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
  for (let first = 0; first < limit; ) {
    const { delivery } = input.records[first]!;
    const end = Math.min(limit, first + delivery.records.length);
    reads.push({ delivery, readTo: input.arrivals[end - 1] ?? null });
    if (consumed.subarray(first, end).some((mark) => mark === 0)) {
      const [from, to] = [input.records[first]!.record, input.records[end - 1]!.record];
      offsets.push({
        shard: shardKey(delivery.source, delivery.shard),
        first: { sequence: from.sequence, sub: from.sub },
        last: { sequence: to.sequence, sub: to.sub },
      });
    }
    for (let at = first; at < end; at++) {
      const { decoded } = input.records[at]!;
      if ("heartbeat" in decoded && consumed[at] === 0)
        heartbeats.push({
          source: delivery.source,
          shard: delivery.shard,
          arrival: input.arrivals[at] ?? null,
          eventTime: decoded.heartbeat,
        });
    }
    first = end;
  }
  return { reads, offsets, heartbeats };
}
