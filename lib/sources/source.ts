import type { Table } from "../columns/table.js";
import type { Row } from "../plan/schema.js";
import type { RecordHeader, RecordPlace } from "./record-metadata.js";
import type { JsonBytes } from "./scan/json-skip.js";

/** A record's place in its shard. Sequence numbers compare as integers, KPL sub-records as (sequence, sub). */
export interface Position {
  /** Decimal digits. */
  readonly sequence: string;
  /** 0 for a record that is not part of an aggregate. */
  readonly sub: number;
}

/** The bytes of one record. */
export interface Payload {
  readonly data: Uint8Array;
  /** The same bytes as they came, where `data` is decoded only when asked for: a third of a record's cost, and most rows never need it. */
  readonly base64?: string;
  /** The same bytes where they were read, from `start` to before `end`, with a control character behind: then `data` is made only when asked for. */
  readonly place?: PayloadPlace;
  /** Why it is no row, where its reader has seen that already: then it is not decoded. */
  readonly malformed?: MalformedRow;
  /** JSON of a row, as files of rows give it: nothing of the source's own decodes it. */
  readonly isRow?: true;
}

export interface PayloadPlace {
  readonly text: JsonBytes;
  readonly start: number;
  readonly end: number;
}

/** One user record as delivered, not yet decoded. */
export interface SourceRecord extends Position, Payload {
  /** Epoch ms of arrival at the source; null where the source has none (files, memory). */
  readonly arrival: number | null;
  readonly partitionKey?: string;
  /** Of Kafka. */
  readonly key?: Uint8Array;
  readonly headers?: readonly RecordHeader[];
}

/** What one invocation got from one shard: gap-free, ascending. */
export interface Delivery {
  /** The source node's name in the query. */
  readonly source: string;
  readonly shard: string;
  /** For side outputs and logs: stream name, topic or file. */
  readonly stream: string;
  readonly records: readonly SourceRecord[];
}

export interface MalformedRecord extends Position {
  readonly source: string;
  readonly stream: string;
  readonly shard: string;
  readonly arrival: number | null;
  /** Kebab-case: `not-json`, `schema-violation`, `too-large`, `too-deep`, `too-many-cells`, `user-function`, `no-event-time`, … */
  readonly reason: string;
  /** What exactly, without the payload. */
  readonly detail: string;
  /** The record as it came, base64, where there is one; and the row, where one was made of it. */
  readonly payload: { readonly base64?: string; readonly row?: Row };
}

/** Turns a payload into a row of the source's schema, or says why not. Compiled once per schema; must not throw. */
export interface RowDecoder {
  (payload: Uint8Array): DecodedRow;
  /** The same answers for many payloads, in order, where that is cheaper than one call each. */
  readonly batch?: (payloads: readonly Payload[]) => DecodedRows;
  /** The same answers as columns, where there is a faster way to those. */
  readonly columns?: BatchDecoder;
}
export type DecodedRow = { readonly row: Row } | MalformedRow;
export interface MalformedRow {
  readonly malformed: string;
  readonly detail: string;
}
/** In two columns: an object around each row would live as long as the batch does. */
export interface DecodedRows {
  /** By payload; null where it yields none. */
  readonly rows: readonly (Row | null)[];
  readonly malformed: ReadonlyMap<number, MalformedRow>;
}

/** Turns payloads into the columns of a table, whose row is the payload's index unless `records` says otherwise. Must not throw. */
export type BatchDecoder = (payloads: readonly Payload[], place?: RecordPlace) => DecodedBatch;

interface DecodedBatch {
  readonly table: Table;
  /** By payload: it yields no row. */
  readonly malformed: ReadonlyMap<number, MalformedRow>;
  /** Payloads for which the decoder had no answer: the books will miss them. */
  readonly lost: readonly number[];
  /** By row, ascending: the payload that it is of, where one may make several or none. Absent: row and payload have one index. */
  readonly records?: Int32Array;
}
