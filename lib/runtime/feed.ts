import { ColumnBatch } from "../columns/column-batch.js";
import type { PhysicalSource, SourceChunk } from "../planner/physical-query.js";
import type { Delivery, MalformedRecord } from "../sources/source.js";
import type { DecodedRecords } from "./decode-records.js";
import { CHUNK_RECORDS, type MicroBatchInput, malformedRecord } from "./micro-batch-input.js";
import type { SourcePolicy } from "./source-policy.js";

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

/** A piece of new records should take no longer than this, so that what comes before the deadline is told from what does not. */
const PIECE_MS = 50;

/**
 * Gives every source node its rows, node by node, in chunks. Before each chunk of new records `mustStop` is asked whether there is time for
 * it; with a clock, chunks are read in pieces that grow while they are quick: a user's function may take a second a record.
 */
export function feed(
  sources: readonly PhysicalSource[],
  policies: ReadonlyMap<string, SourcePolicy>,
  selection: Selection,
  mustStop: (aheadMs: number) => boolean,
  /** Returns how many rows it read. */
  process: (node: number, chunk: SourceChunk) => number,
  now?: () => number,
): FeedCounts {
  const { input } = selection;
  const counts = { skipped: 0, decoded: 0, heartbeats: 0, malformed: [] as MalformedRecord[] };
  const numInputRows = new Map<number, number>();
  let limit = selection.limit;
  const pieces = pieceSizes(now);
  const seen = new Set<string>();
  sources.forEach(({ name }, node) => {
    const first = !seen.has(name);
    seen.add(name);
    for (const { delivery, ...range } of input.ranges) {
      if (delivery.source !== name) continue;
      // A source tells arrivals of all its records or of none.
      const withArrivals = delivery.records[0]?.arrival != null;
      for (let at = range.first, end = at; at < Math.min(range.end, limit); at = end) {
        if (first && mustStop(pieces.expectedMs())) {
          limit = at;
          break;
        }
        const place = Math.floor((at - range.first) / CHUNK_RECORDS);
        const chunkStart = range.first + place * CHUNK_RECORDS;
        const size = first ? pieces.size() : CHUNK_RECORDS;
        end = Math.min(range.end, limit, chunkStart + CHUNK_RECORDS, at + size);
        if (first) countRecords(counts, selection, delivery, at, end);
        const batch = rowsOf(selection, node, range.chunks[place]!, chunkStart, at, end);
        if (batch.length === 0) continue;
        const began = now?.() ?? 0;
        const read = process(node, {
          batch,
          shard: delivery.shard,
          arrivals: withArrivals ? (input.arrivals as readonly number[]) : null,
          maxFutureSkewMs: withArrivals ? (policies.get(name)?.maxFutureSkewMs ?? null) : null,
        });
        if (first) pieces.took(batch.length, (now?.() ?? 0) - began);
        numInputRows.set(node, (numInputRows.get(node) ?? 0) + read);
      }
    }
  });
  return { limit, ...counts, numInputRows };
}

/** How many records are read before the clock is: all of a chunk where there is none. */
function pieceSizes(now: (() => number) | undefined) {
  let size = now === undefined ? CHUNK_RECORDS : 1;
  let msPerRow = 0;
  return {
    size: () => size,
    expectedMs: () => msPerRow * size,
    took(rows: number, ms: number): void {
      msPerRow = ms / rows;
      const fitting = msPerRow === 0 ? CHUNK_RECORDS : Math.floor(PIECE_MS / msPerRow);
      size = Math.max(1, Math.min(size * 2, fitting, CHUNK_RECORDS));
    },
  };
}

/** The rows of a chunk, whose records stand from `first` on, that are to be read: those from `from` to before `end`. */
function rowsOf(
  { consumed, rejected }: Selection,
  source: number,
  { table, rows, records }: DecodedRecords,
  first: number,
  from: number,
  end: number,
): ColumnBatch {
  const record = (row: number) => first + records[row]!;
  const isRead = (row: number) =>
    record(row) >= from && record(row) < end && consumed[record(row)] !== 1 && !rejected.has(record(row));
  const last = rows.length === 0 ? first : record(rows.at(-1)!);
  const readsAll = from === first && last < end && rejected.size === 0 && consumed.indexOf(1, first) === -1;
  return new ColumnBatch(table, readsAll ? rows : rows.filter(isRead), { source, record });
}

function countRecords(
  counts: { skipped: number; decoded: number; heartbeats: number; readonly malformed: MalformedRecord[] },
  { input, consumed, rejected }: Selection,
  delivery: Delivery,
  from: number,
  end: number,
): void {
  for (let at = from; at < end; at++) {
    const fault = input.malformed.get(at);
    const entry = () => ({ delivery, record: input.records[at]! });
    if (consumed[at] === 1) counts.skipped++;
    else if (rejected.has(at)) counts.malformed.push(malformedRecord(entry(), "user-function", rejected.get(at)!));
    else if (fault !== undefined) counts.malformed.push(malformedRecord(entry(), fault.malformed, fault.detail));
    else if (input.heartbeats.has(at)) counts.heartbeats++;
    else if (input.isDecoded[at] === 1) counts.decoded++;
  }
}
