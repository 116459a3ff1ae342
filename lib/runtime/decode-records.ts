import { firstRows } from "../columns/column-batch.js";
import type { Table } from "../columns/table.js";
import { heartbeatOf } from "../sources/heartbeat.js";
import { rowsAsColumns } from "../sources/rows-as-columns.js";
import type { MalformedRow, Payload, RowDecoder } from "../sources/source.js";
import type { EventTime } from "../time/event-time.js";

/** Records as the rows of a table. */
export interface DecodedRecords {
  readonly table: Table;
  /** The rows of the table that there are, ascending: not where a payload is malformed. */
  readonly rows: Int32Array;
  /** By row of the table, the index of its record. */
  readonly records: Int32Array;
  /** By index of the record. */
  readonly malformed: ReadonlyMap<number, MalformedRow>;
  readonly heartbeats: ReadonlyMap<number, EventTime>;
}

/** Heartbeats are rare and never reach the decoder. */
export function decodeRecords(decode: RowDecoder, all: readonly Payload[]): DecodedRecords {
  const heartbeats = new Map<number, EventTime>();
  for (let at = 0; at < all.length; at++) {
    const heartbeat = heartbeatOf(all[at]!);
    if (heartbeat !== null) heartbeats.set(at, heartbeat);
  }
  const everyRecord = firstRows(all.length);
  const records = heartbeats.size === 0 ? everyRecord : everyRecord.filter((at) => !heartbeats.has(at));
  const payloads = heartbeats.size === 0 ? all : Array.from(records, (at) => all[at]!);
  const { table, malformed, lost } = (decode.columns ?? rowsAsColumns(decode))(payloads);
  const everyRow = firstRows(payloads.length);
  const isRow = (row: number) => !malformed.has(row) && !lost.includes(row);
  return {
    table,
    rows: malformed.size === 0 && lost.length === 0 ? everyRow : everyRow.filter(isRow),
    records,
    malformed: new Map(Array.from(malformed, ([row, fault]) => [records[row]!, fault])),
    heartbeats,
  };
}
