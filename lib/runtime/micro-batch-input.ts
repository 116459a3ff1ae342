import { internalError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import type { PhysicalSource } from "../planner/physical-query.js";
import { heartbeatTime } from "../sources/heartbeat.js";
import type { DecodedRow, Delivery, MalformedRecord, RowDecoder, SourceRecord } from "../sources/source.js";
import type { EventTime } from "../time/event-time.js";

/** One record of the micro-batch; its index in `MicroBatchInput.records` is the origin of its rows. */
export interface InputRecord {
  readonly delivery: Delivery;
  readonly record: SourceRecord;
  readonly decoded: DecodedRow | { readonly heartbeat: EventTime };
}

/** All deliveries of one invocation, decoded once: a repeat after a lost race starts from here. */
export interface MicroBatchInput {
  readonly deliveries: readonly Delivery[];
  /** In the order in which they are consumed: by source, then by delivery, then as delivered. */
  readonly records: readonly InputRecord[];
  /** By record: arrival, made never to go back within a shard; null entries where the source has none. */
  readonly arrivals: readonly (number | null)[];
}

export function decodeDeliveries(
  sources: readonly PhysicalSource[],
  decoders: ReadonlyMap<string, RowDecoder>,
  deliveries: readonly Delivery[],
): MicroBatchInput {
  const records: InputRecord[] = [];
  const arrivals: (number | null)[] = [];
  const names = [...new Set(sources.map(({ name }) => name))];
  const ordered = [...deliveries].sort((a, b) => names.indexOf(a.source) - names.indexOf(b.source));
  for (const delivery of ordered) {
    const decode = decoders.get(delivery.source);
    if (decode === undefined || !names.includes(delivery.source))
      throw internalError(
        "source-unknown",
        `A delivery names the source "${delivery.source}", which the query has not.`,
      );
    const decoded = decodeRecords(decode, delivery.records);
    let newest: number | null = null;
    for (let at = 0; at < delivery.records.length; at++) {
      const record = delivery.records[at]!;
      records.push({ delivery, record, decoded: decoded[at]! });
      newest = record.arrival === null ? null : Math.max(newest ?? record.arrival, record.arrival);
      arrivals.push(newest);
    }
  }
  return { deliveries: ordered, records, arrivals };
}

/** Rows are decoded together where the decoder can; heartbeats are rare and never reach it. */
function decodeRecords(decode: RowDecoder, records: readonly SourceRecord[]): readonly InputRecord["decoded"][] {
  const decodeAll = decode.batch ?? ((payloads: readonly Uint8Array[]) => payloads.map((payload) => decode(payload)));
  const heartbeats = new Map<number, EventTime>();
  const payloads: Uint8Array[] = [];
  for (let at = 0; at < records.length; at++) {
    const { data } = records[at]!;
    const heartbeat = heartbeatTime(data);
    if (heartbeat === null) payloads.push(data);
    else heartbeats.set(at, heartbeat);
  }
  const rows = decodeAll(payloads);
  if (rows.length !== payloads.length)
    throw internalError("decoder-lost-records", `${payloads.length} payloads were decoded to ${rows.length} answers.`);
  if (heartbeats.size === 0) return rows;
  let next = 0;
  return records.map((_, at) => {
    const heartbeat = heartbeats.get(at);
    return heartbeat === undefined ? rows[next++]! : { heartbeat };
  });
}

/** What a record that yields no row leaves in the malformed output. */
export const malformedRecord = (
  { delivery, record }: InputRecord,
  reason: string,
  detail: string,
  row?: Row,
): MalformedRecord => ({
  source: delivery.source,
  stream: delivery.stream,
  shard: delivery.shard,
  sequence: record.sequence,
  sub: record.sub,
  arrival: record.arrival,
  reason,
  detail,
  payload: row === undefined ? { base64: Buffer.from(record.data).toString("base64") } : { row },
});
