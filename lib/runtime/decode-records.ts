import { firstRows } from "../columns/column-batch.js";
import type { Table } from "../columns/table.js";
import { heartbeatOf } from "../sources/heartbeat.js";
import { NOWHERE, type RecordPlace } from "../sources/record-metadata.js";
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
  /** Records that were decoded, whether to one row, to several or to none; ascending. */
  readonly answered: Int32Array;
  /** By index of the record. */
  readonly malformed: ReadonlyMap<number, MalformedRow>;
  readonly heartbeats: ReadonlyMap<number, EventTime>;
}

/** Heartbeats are rare and never reach the decoder. */
export function decodeRecords(
  decode: RowDecoder,
  all: readonly Payload[],
  place: RecordPlace = NOWHERE,
): DecodedRecords {
  const heartbeats = new Map<number, EventTime>();
  for (let at = 0; at < all.length; at++) {
    const heartbeat = heartbeatOf(all[at]!);
    if (heartbeat !== null) heartbeats.set(at, heartbeat);
  }
  const everyRecord = firstRows(all.length);
  const records = heartbeats.size === 0 ? everyRecord : everyRecord.filter((at) => !heartbeats.has(at));
  const payloads = heartbeats.size === 0 ? all : Array.from(records, (at) => all[at]!);
  const { table, malformed, lost, records: made } = (decode.columns ?? rowsAsColumns(decode))(payloads, place);
  const faults = new Map(Array.from(malformed, ([row, fault]) => [records[row]!, fault]));
  const everyRow = firstRows(made?.length ?? payloads.length);
  if (made !== undefined) {
    const answered = records.filter((_, payload) => !malformed.has(payload));
    return {
      table,
      rows: everyRow,
      records: made.map((payload) => records[payload]!),
      answered,
      malformed: faults,
      heartbeats,
    };
  }
  const isRow = (row: number) => !malformed.has(row) && !lost.includes(row);
  const rows = malformed.size === 0 && lost.length === 0 ? everyRow : everyRow.filter(isRow);
  return { table, rows, records, answered: rows.map((row) => records[row]!), malformed: faults, heartbeats };
}
