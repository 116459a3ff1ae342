import type { DeliveredRecord } from "./event-record.js";

interface BatchLimits {
  readonly batchSize: number;
  readonly batchingWindowMs: number;
  readonly payloadBytes: number;
}

/** Records read and not yet sent. A batch is due at its size, its payload or the end of the window, whichever comes first. */
interface BatchBuffer {
  readonly length: number;
  add(records: readonly DeliveredRecord[], now: number): void;
  /** Null: not due yet. `flush`: due whatever it holds, if anything. */
  take(now: number, flush: boolean): readonly DeliveredRecord[] | null;
  /** Ms until the window ends; infinite while empty. */
  remaining(now: number): number;
}

/** Less the comma that the last record does not have. */
const ENVELOPE_BYTES = Buffer.byteLength('{"Records":[]}') - 1;

export function createBatchBuffer(limits: BatchLimits): BatchBuffer {
  let waiting: { readonly record: DeliveredRecord; readonly bytes: number; readonly since: number }[] = [];

  /** How many of the waiting fit one batch, and whether something stopped it from taking more. */
  const nextBatch = (): { readonly count: number; readonly full: boolean } => {
    let bytes = ENVELOPE_BYTES;
    for (let count = 0; count < waiting.length; count++) {
      bytes += waiting[count]!.bytes + 1;
      if (count > 0 && bytes > limits.payloadBytes) return { count, full: true };
      if (count + 1 === limits.batchSize) return { count: count + 1, full: true };
    }
    return { count: waiting.length, full: false };
  };
  const remaining = (now: number) =>
    waiting.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, waiting[0]!.since + limits.batchingWindowMs - now);

  return {
    get length() {
      return waiting.length;
    },
    add(records, now) {
      for (const record of records) waiting.push({ record, bytes: jsonBytes(record), since: now });
    },
    take(now, flush) {
      if (waiting.length === 0) return null;
      const { count, full } = nextBatch();
      if (!full && !flush && remaining(now) > 0) return null;
      const batch = waiting.slice(0, count).map(({ record }) => record);
      waiting = waiting.slice(count);
      return batch;
    },
    remaining,
  };
}

/** Of the record as JSON, without making that JSON for its largest part. */
function jsonBytes(record: DeliveredRecord): number {
  const { data, ...rest } = record.kinesis;
  return Buffer.byteLength(JSON.stringify({ ...record, kinesis: { ...rest, data: "" } })) + data.length;
}
