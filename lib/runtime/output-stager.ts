import { Buffer } from "node:buffer";
import { shardKey } from "../checkpoint/registers.js";
import type { OutboxWriter } from "../checkpoint/state-partition.js";
import type { Origin, RejectedRow } from "../operators/operator.js";
import type { OutputMode } from "../plan/logical-plan.js";
import type { Row, Schema } from "../plan/schema.js";
import type { PassOutput } from "../planner/physical-query.js";
import { lateBatch, lateOutputRow } from "../sinks/late-rows.js";
import { malformedBatch, malformedOutputRow } from "../sinks/malformed.js";
import { type OutboxPart, type OutputBatch, type OutputSinks, type Sink, sinksOfOutput } from "../sinks/sink.js";
import type { MalformedRecord } from "../sources/source.js";
import type { MicroBatchInput } from "./micro-batch-input.js";
import { inputRecord, malformedRecord } from "./micro-batch-input.js";
import type { NoEventTimeDetail } from "./no-event-time.js";
import type { RowSchemaOf } from "./operator-schemas.js";
import { textBytes } from "./text-bytes.js";

/** All that one micro-batch says to the world, or a part of it. */
export interface MicroBatchOutput extends PassOutput {
  readonly malformed: readonly MalformedRecord[];
}

export interface OutputShape {
  readonly schema: Schema;
  readonly outputMode: OutputMode;
  readonly rowSchemaOf: RowSchemaOf;
  readonly noEventTime: NoEventTimeDetail;
  /** Of a tick: null, no record came. */
  readonly input: MicroBatchInput | null;
  /** Epoch ms: dates rows that have no time. */
  readonly arrival: number;
}

/** Rows to final bytes, before the commit: same rows, same bytes, however they come. Nothing is staged for an output without rows. */
export interface OutputStager {
  readonly outbox: OutboxWriter;
  /** Rows of results so far. */
  readonly numOutputRows: number;
  /** Rows that came behind the watermark, by the shard of their record. */
  readonly lateByShard: ReadonlyMap<string, number>;
  add(output: Partial<MicroBatchOutput>): Promise<void>;
  /** Stages what waits for more. */
  end(): Promise<void>;
}

export function outputStager(
  sinks: OutputSinks,
  outbox: OutboxWriter,
  { schema, outputMode, rowSchemaOf, noEventTime, input, arrival }: OutputShape,
): OutputStager {
  const placeOf = (origin: Origin) => {
    const entry = input === null ? undefined : inputRecord(input, origin.record);
    if (entry === undefined) return null;
    const { sequence, sub } = entry.record;
    return { stream: entry.delivery.stream, shard: entry.delivery.shard, sequence, sub };
  };
  const payloadOf = (origin: Origin) => {
    const entry = input === null ? undefined : inputRecord(input, origin.record);
    return entry === undefined ? null : Buffer.from(entry.record.data).toString("base64");
  };
  const shape = { schema, outputMode, timeColumn: timeColumn(schema), arrival };
  const results = sinksOfOutput(sinks, "result").map((sink) =>
    chunkStager(sink, outbox, (rows) => ({ output: "result", rows, ...shape })),
  );
  const late = chunkStager(sinks.late, outbox, (rows) => lateBatch(rows, arrival));
  const malformed = chunkStager(sinks.malformed, outbox, (rows) => malformedBatch(rows, arrival));
  const lateByShard = new Map<string, number>();

  const countLate = (origin: Origin | null): void => {
    const entry = origin === null || input === null ? undefined : inputRecord(input, origin.record);
    if (entry === undefined) return;
    const key = shardKey(entry.delivery.source, entry.delivery.shard);
    lateByShard.set(key, (lateByShard.get(key) ?? 0) + 1);
  };

  return {
    outbox,
    lateByShard,
    get numOutputRows() {
      return results[0]!.rows;
    },
    async add(output) {
      for (const row of output.output ?? []) for (const result of results) if (result.take(row)) await result.stage();
      for (const row of output.late ?? []) {
        if (row.reason !== "drained") countLate(row.origin);
        const schemaOf = (operatorId: string) => rowSchemaOf(operatorId, row.row);
        if (late.take(lateOutputRow(row, { placeOf, payloadOf, schemaOf }))) await late.stage();
      }
      for (const record of output.malformed ?? [])
        if (malformed.take(malformedOutputRow(record))) await malformed.stage();
      for (const row of output.withoutTime ?? []) {
        const rejected = malformedOutputRow(
          withoutPlace(row, input, noEventTime),
          rowSchemaOf(row.operatorId, row.row),
        );
        if (malformed.take(rejected, true)) await malformed.stage();
      }
    },
    async end() {
      for (const each of [...results, late, malformed]) await each.stage();
    },
  };
}

/** What is committed belongs to the sink it was staged for. */
const staged = (sink: Sink, batch: OutputBatch): readonly OutboxPart[] =>
  sink.target === undefined ? sink.stage(batch) : sink.stage(batch).map((part) => ({ ...part, target: sink.target! }));

/** Rows are staged together until their text would be about this long: what they become fits in a pack. */
const CHUNK_BYTES = 4_000_000;

/** Divides the rows of one output by the rows alone, and tells each chunk where it begins: nothing is published twice under one name. */
function chunkStager(sink: Sink, outbox: OutboxWriter, batchOf: (rows: readonly Row[]) => OutputBatch) {
  let waiting: Row[] = [];
  let behind: Row[] = [];
  let bytes = 0;
  let firstRow = 0;
  return {
    /** Whether it is time to stage what waits. `last`: behind all others that wait. */
    take(row: Row, last = false): boolean {
      (last ? behind : waiting).push(row);
      if (sink.wholeCommit === true) return false;
      bytes += textBytes(row);
      return bytes >= CHUNK_BYTES;
    },
    async stage(): Promise<void> {
      const rows = behind.length === 0 ? waiting : [...waiting, ...behind];
      if (rows.length === 0) return;
      const batch = { ...batchOf(rows), firstRow };
      [waiting, behind, bytes] = [[], [], 0];
      firstRow += rows.length;
      await outbox.add(staged(sink, batch));
    },
    get rows(): number {
      return firstRow + waiting.length + behind.length;
    },
  };
}

/** A row that an operator cannot place in time; one that a stateful operator made has no record to point at. */
function withoutPlace(
  { operatorId, row, origin, reason, detail: said }: RejectedRow,
  input: MicroBatchInput | null,
  noEventTime: NoEventTimeDetail,
): MalformedRecord {
  const entry = origin === null || input === null ? undefined : inputRecord(input, origin.record);
  const record = entry === undefined ? undefined : { source: entry.delivery.source, data: entry.record.data };
  const detail = said ?? (reason === "no-event-time" ? noEventTime(operatorId, record) : NO_GAP);
  if (entry !== undefined) return malformedRecord(entry, reason, detail, row);
  const nowhere = { source: operatorId, stream: operatorId, shard: "", sequence: "", sub: 0, arrival: null };
  return { ...nowhere, reason, detail, payload: { row } };
}

const NO_GAP = "the session's gap is NULL, or not above zero";

/** A window dates a row better than another time; a row with neither is dated by its arrival. */
function timeColumn({ fields }: Schema): string | null {
  const dated = fields.find(({ type }) => type === "window") ?? fields.find(({ type }) => type === "timestamp");
  return dated?.name ?? null;
}
