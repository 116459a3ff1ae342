import { internalError } from "../errors.js";
import type { Row, Schema } from "../plan/schema.js";
import { encodeBody, encodeRecord } from "./shuffle-codec.js";
import type { EntryHead, InputRows, Marker, RowOrigin } from "./shuffle-record.js";

/** One row at the cut. */
export interface CrossingRow {
  readonly row: Row;
  readonly input: string;
  readonly origin: RowOrigin;
}

/** What all records of one entry have in common. */
export interface EntryFacts {
  readonly head: Omit<EntryHead, "format" | "partition" | "part" | "parts" | "rows">;
  readonly stream: string;
  readonly marker: Marker;
  readonly schemaOf: (input: string) => Schema;
}

/** Of a record; Kinesis takes 1 MiB, its partition key included. */
export const PART_LIMITS: PartsLimits = Object.freeze({ bytes: 1_000_000, rows: 10_000 });

export interface PartsLimits {
  readonly bytes: number;
  readonly rows: number;
}

/** A record of an entry: final bytes. */
export interface EntryRecord {
  readonly partition: number;
  /** From 1. */
  readonly part: number;
  readonly data: Uint8Array;
}

interface EntryRecords<R extends CrossingRow> {
  /** Partitions ascending, of each its parts ascending. */
  readonly records: readonly EntryRecord[];
  /** Rows that fit in no record, as they came. */
  readonly tooLarge: readonly R[];
}

/**
 * The records of one entry: every partition gets one at least, the last of each carries the marker (S5, S6) [CS12, CS13].
 * @param rows by partition, in the order of their arrival
 */
export function entryRecords<R extends CrossingRow>(
  facts: EntryFacts,
  rows: readonly (readonly R[])[],
  limits: PartsLimits = PART_LIMITS,
): EntryRecords<R> {
  const tooLarge: R[] = [];
  const records = rows.flatMap((own, partition) => {
    const parts = partsOf(facts, own, limits, tooLarge);
    return parts.map(({ rows: part, body }, at) => {
      const last = at === parts.length - 1;
      const head = { partition, part: at + 1, parts: parts.length, rows: part.length };
      const data = encodeRecord({ format: 1, ...facts.head, ...head }, last ? body : bodyOf(facts, part, null));
      return { partition, part: at + 1, data };
    });
  });
  return { records, tooLarge };
}

interface Part<R> {
  readonly rows: readonly R[];
  /** With the marker: any part may turn out to be the last. */
  readonly body: Uint8Array;
}

/** Rows are halved until they fit: how far they compress cannot be told beforehand. */
function partsOf<R extends CrossingRow>(
  facts: EntryFacts,
  rows: readonly R[],
  limits: PartsLimits,
  tooLarge: R[],
): readonly Part<R>[] {
  const room = limits.bytes - JSON.stringify(facts.head).length - HEAD_BYTES;
  const parts: Part<R>[] = [];
  const split = (part: readonly R[]): void => {
    const body = part.length <= limits.rows ? bodyOf(facts, part, facts.marker) : null;
    if (body !== null && body.length <= room) parts.push({ rows: part, body });
    else if (part.length === 0)
      throw internalError("shuffle-marker", "What a shard has shown does not fit in a record of the shuffle stream.");
    else if (part.length === 1) tooLarge.push(part[0]!);
    else {
      const half = part.length > limits.rows ? limits.rows : Math.ceil(part.length / 2);
      split(part.slice(0, half));
      split(part.slice(half));
    }
  };
  split(rows);
  if (parts.length === 0) split([]);
  return parts;
}

/** What stands in a head beside the facts: the format and four numbers. */
const HEAD_BYTES = 128;

const bodyOf = ({ stream, schemaOf }: EntryFacts, rows: readonly CrossingRow[], marker: Marker | null): Uint8Array =>
  encodeBody({ stream, inputs: byInput(rows), marker }, schemaOf);

function byInput(rows: readonly CrossingRow[]): readonly InputRows[] {
  const inputs = new Map<string, { input: string; rows: Row[]; origins: RowOrigin[] }>();
  for (const { row, input, origin } of rows) {
    const own = inputs.get(input) ?? { input, rows: [], origins: [] };
    inputs.set(input, own);
    own.rows.push(row);
    own.origins.push(origin);
  }
  return [...inputs.values()];
}
