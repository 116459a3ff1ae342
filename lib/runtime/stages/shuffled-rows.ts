import { shardKey } from "../../checkpoint/registers.js";
import { rowBatch } from "../../columns/column-batch.js";
import { internalError } from "../../errors.js";
import type { Row, Schema } from "../../plan/schema.js";
import type { PhysicalQuery, SourceChunk } from "../../planner/physical-query.js";
import { decodeBody } from "../../shuffle/shuffle-codec.js";
import { type EntryHead, isTick, type Marker, type TickRecord } from "../../shuffle/shuffle-record.js";
import type { SourceRecord } from "../../sources/source.js";
import { CHUNK_RECORDS, type MicroBatchInput } from "../micro-batch-input.js";
import type { ShuffledRecord } from "./receive-records.js";

/** One consumed record of the shuffle stream: where its rows stand, and what it says beside them. */
interface ReadRecord {
  readonly sequence: string;
  readonly head: EntryHead | TickRecord;
  readonly marker: Marker | null;
  /** Its rows stand from the end of the record before it to before this. */
  readonly end: number;
}

/** The rows of one invocation of one partition, in the order of the shuffle stream; their index is their origin. */
export interface ShuffledRows {
  readonly records: readonly ReadRecord[];
  readonly rows: readonly Row[];
  /** Where they came from. */
  readonly input: MicroBatchInput;
  /** By row: the index of its input among the sources. */
  readonly inputs: readonly number[];
  /** By row: the index of its ring, in the order of their first appearance (S17). */
  readonly rings: readonly number[];
}

/** What the two stages of this code agree on. */
export interface CutInputs {
  /** By source index of the plan. */
  readonly names: readonly string[];
  readonly schemas: readonly Schema[];
}

const NO_PAYLOAD = new Uint8Array(0);

/**
 * @param mustStop asked before every record but the first; what is not read waits in the stream
 * @throws `shuffle-input` for rows of an input that the query has no more, `shuffle-rows` for a record that holds other rows than it says
 */
export function readRows(
  consumed: readonly ShuffledRecord[],
  { names, schemas }: CutInputs,
  mustStop: () => boolean,
): ShuffledRows {
  const indexOf = new Map(names.map((name, at) => [name, at]));
  const inputOf = (name: string): number => {
    const index = indexOf.get(name);
    if (index === undefined) throw inputGone(name);
    return index;
  };
  const records: ReadRecord[] = [];
  const rows: Row[] = [];
  const sourceRecords: SourceRecord[] = [];
  const inputs: number[] = [];
  const rings: number[] = [];
  const ranges: MicroBatchInput["ranges"][number][] = [];
  const ringOf = new Map<string, number>();
  for (const { head, sequence, body } of consumed) {
    if (records.length > 0 && mustStop()) break;
    if (isTick(head)) {
      records.push({ sequence, head, marker: null, end: rows.length });
      continue;
    }
    const first = rows.length;
    const { source, shard } = head;
    const key = shardKey(source, shard);
    const ring = ringOf.get(key) ?? ringOf.size;
    ringOf.set(key, ring);
    const { stream, inputs: parts, marker } = decodeBody(body, (name) => schemas[inputOf(name)]!);
    for (const part of parts) {
      const index = inputOf(part.input);
      part.rows.forEach((row, at) => {
        rows.push(row);
        sourceRecords.push({ ...part.origins[at]!, data: NO_PAYLOAD });
        inputs.push(index);
        rings.push(ring);
      });
    }
    if (rows.length - first !== head.rows) throw rowsMissing(head, rows.length - first);
    ranges.push({ delivery: { source, shard, stream, records: [] }, first, end: rows.length, chunks: [] });
    records.push({ sequence, head, marker, end: rows.length });
  }
  const arrivals = sourceRecords.map(({ arrival }) => arrival);
  const isDecoded = new Uint8Array(rows.length).fill(1);
  const input = { ranges, records: sourceRecords, isDecoded, malformed: new Map(), heartbeats: new Map(), arrivals };
  return { records, rows, input, inputs, rings };
}

/** A choice among the rows of an invocation. */
export interface RowSelection {
  readonly rows: ShuffledRows;
  /** The rows before it. */
  readonly limit: number;
  readonly rejected: ReadonlyMap<number, string>;
}

/** Gives every source node its rows: input by input, ring by ring (S17). Returns how many rows each read. */
export function feedRows(
  query: Pick<PhysicalQuery, "sources">,
  { rows, limit, rejected }: RowSelection,
  process: (node: number, chunk: SourceChunk) => number,
): ReadonlyMap<number, number> {
  const groups = new Map<number, Map<number, number[]>>();
  for (let at = 0; at < limit; at++) {
    if (rejected.has(at)) continue;
    const byRing = groups.get(rows.inputs[at]!) ?? new Map<number, number[]>();
    groups.set(rows.inputs[at]!, byRing);
    const group = byRing.get(rows.rings[at]!) ?? [];
    byRing.set(rows.rings[at]!, group);
    group.push(at);
  }
  const read = new Map<number, number>();
  query.sources.forEach((_, node) => {
    for (const group of [...(groups.get(node) ?? [])].sort(([a], [b]) => a - b).map(([, indexes]) => indexes))
      for (let from = 0; from < group.length; from += CHUNK_RECORDS) {
        const indexes = group.slice(from, from + CHUNK_RECORDS);
        const record = (row: number) => indexes[row]!;
        const batch = rowBatch(
          indexes.map((at) => rows.rows[at]!),
          { source: node, record },
        );
        const count = process(node, { batch, shard: "", arrivals: null, maxFutureSkewMs: null });
        read.set(node, (read.get(node) ?? 0) + count);
      }
  });
  return read;
}

const inputGone = (name: string) =>
  internalError(
    "shuffle-input",
    `Rows of the input ${name} have come, which the query has no more.`,
    "Deploy the former query again, let it read its shuffle stream to the end, and only then the new one.",
  );

const rowsMissing = ({ batchId, part, rows }: EntryHead, found: number) =>
  internalError(
    "shuffle-rows",
    `Part ${part} of entry ${batchId} says that it holds ${rows} rows, and holds ${found}.`,
  );
