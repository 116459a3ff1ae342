import type { Origin } from "../operators/operator.js";
import type { Row } from "../plan/schema.js";
import type { PhysicalSource, SourceChunk } from "../planner/physical-query.js";
import type { MalformedRecord } from "../sources/source.js";
import { type MicroBatchInput, malformedRecord } from "./micro-batch-input.js";
import type { SourcePolicy } from "./source-policy.js";

/** The clock is read, and the batch may be cut, between chunks of this many records. */
export const CHUNK_RECORDS = 1_000;

/** Records of a micro-batch that a pass may read: those before `limit` that no earlier commit consumed. */
export interface Selection {
  readonly input: MicroBatchInput;
  readonly consumed: Uint8Array;
  /** Records before which a user function threw, by index; they yield no row. */
  readonly rejected: ReadonlyMap<number, string>;
  readonly limit: number;
}

/** Every number is counted where the thing happens, so that the identities can fail (DESIGN.md section 7). */
export interface FeedCounts {
  /** The records before it were read; the rest waits. */
  readonly limit: number;
  readonly skipped: number;
  readonly decoded: number;
  readonly heartbeats: number;
  readonly malformed: readonly MalformedRecord[];
  /** Rows read by source nodes; a self join reads its source twice, as in Spark. */
  readonly numInputRows: ReadonlyMap<number, number>;
}

/** Gives every source node its rows, node by node, in chunks; `mustStop` is asked before each chunk of new records. */
export function feed(
  sources: readonly PhysicalSource[],
  policies: ReadonlyMap<string, SourcePolicy>,
  selection: Selection,
  mustStop: () => boolean,
  /** Returns how many rows it read. */
  process: (node: number, chunk: SourceChunk) => number,
): FeedCounts {
  const { input, consumed, rejected } = selection;
  const counts = { skipped: 0, decoded: 0, heartbeats: 0 };
  const malformed: MalformedRecord[] = [];
  const numInputRows = new Map<number, number>();
  let limit = selection.limit;
  const seen = new Set<string>();
  sources.forEach(({ name }, node) => {
    const first = !seen.has(name);
    seen.add(name);
    let at = input.records.findIndex(({ delivery }) => delivery.source === name);
    while (at >= 0 && at < limit && input.records[at]!.delivery.source === name) {
      if (first && mustStop()) {
        limit = at;
        break;
      }
      const { delivery } = input.records[at]!;
      const rows: Row[] = [];
      const origin: Origin[] = [];
      const end = Math.min(limit, at + CHUNK_RECORDS);
      for (; at < end && input.records[at]!.delivery === delivery; at++) {
        const { decoded } = input.records[at]!;
        if (consumed[at] === 1) {
          if (first) counts.skipped++;
        } else if (rejected.has(at)) {
          if (first) malformed.push(malformedRecord(input.records[at]!, "user-function", rejected.get(at)!));
        } else if ("malformed" in decoded) {
          if (first) malformed.push(malformedRecord(input.records[at]!, decoded.malformed, decoded.detail));
        } else if ("heartbeat" in decoded) {
          if (first) counts.heartbeats++;
        } else if ("row" in decoded) {
          if (first) counts.decoded++;
          rows.push(decoded.row);
          origin.push({ source: node, record: at });
        }
      }
      if (rows.length === 0) continue;
      // A source tells arrivals of all its records or of none.
      const withArrivals = delivery.records[0]!.arrival !== null;
      const read = process(node, {
        chunk: { rows, origin },
        shard: delivery.shard,
        arrivals: withArrivals ? (input.arrivals as readonly number[]) : null,
        maxFutureSkewMs: withArrivals ? (policies.get(name)?.maxFutureSkewMs ?? null) : null,
      });
      numInputRows.set(node, (numInputRows.get(node) ?? 0) + read);
    }
  });
  return { limit, ...counts, malformed, numInputRows };
}
