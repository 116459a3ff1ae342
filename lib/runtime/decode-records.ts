import { internalError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import { heartbeatOf } from "../sources/heartbeat.js";
import type { DecodedRows, MalformedRow, Payload, RowDecoder } from "../sources/source.js";
import type { EventTime } from "../time/event-time.js";

/** By index of the record. */
interface DecodedRecords extends DecodedRows {
  readonly heartbeats: ReadonlyMap<number, EventTime>;
}

/** Rows are decoded together where the decoder can; heartbeats are rare and never reach it. */
export function decodeRecords(decode: RowDecoder, records: readonly Payload[]): DecodedRecords {
  const heartbeats = new Map<number, EventTime>();
  for (let at = 0; at < records.length; at++) {
    const heartbeat = heartbeatOf(records[at]!);
    if (heartbeat !== null) heartbeats.set(at, heartbeat);
  }
  const payloads = heartbeats.size === 0 ? records : records.filter((_, at) => !heartbeats.has(at));
  const decoded = decode.batch?.(payloads) ?? oneByOne(decode, payloads);
  if (decoded.rows.length !== payloads.length)
    throw internalError(
      "decoder-lost-records",
      `${payloads.length} payloads were decoded to ${decoded.rows.length} answers.`,
    );
  return heartbeats.size === 0 ? { ...decoded, heartbeats } : withHeartbeats(decoded, heartbeats, records.length);
}

function oneByOne(decode: RowDecoder, payloads: readonly Payload[]): DecodedRows {
  const malformed = new Map<number, MalformedRow>();
  const rows = payloads.map(({ data }, at) => {
    const decoded = decode(data);
    if ("row" in decoded) return decoded.row;
    // An answer that is neither counts as nothing, so that the books find the record missing.
    if ("malformed" in decoded) malformed.set(at, decoded);
    return null;
  });
  return { rows, malformed };
}

/** Answers for the payloads between heartbeats, moved to the places of their records. */
function withHeartbeats(
  decoded: DecodedRows,
  heartbeats: ReadonlyMap<number, EventTime>,
  records: number,
): DecodedRecords {
  const rows: (Row | null)[] = [];
  const malformed = new Map<number, MalformedRow>();
  for (let at = 0, next = 0; at < records; at++) {
    const fault = heartbeats.has(at) ? undefined : decoded.malformed.get(next);
    if (fault !== undefined) malformed.set(at, fault);
    rows.push(heartbeats.has(at) ? null : decoded.rows[next++]!);
  }
  return { rows, malformed, heartbeats };
}
