import type { LateRow, Origin, RejectedRow } from "../operators/operator.js";
import type { OutputMode } from "../plan/logical-plan.js";
import type { Row, Schema } from "../plan/schema.js";
import { lateBatch, lateOutputRow } from "../sinks/late-rows.js";
import { malformedBatch, malformedOutputRow } from "../sinks/malformed.js";
import type { OutboxPart, OutputBatch, OutputName, Sink } from "../sinks/sink.js";
import type { MalformedRecord } from "../sources/source.js";
import type { MicroBatchInput } from "./micro-batch-input.js";
import { inputRecord, malformedRecord } from "./micro-batch-input.js";
import type { RowSchemaOf } from "./operator-schemas.js";
import { outputChunks } from "./output-chunks.js";

/** All that one micro-batch says to the world. */
export interface MicroBatchOutput {
  readonly result: readonly Row[];
  readonly late: readonly LateRow[];
  readonly malformed: readonly MalformedRecord[];
  readonly withoutTime: readonly RejectedRow[];
}

export interface OutputShape {
  readonly schema: Schema;
  readonly outputMode: OutputMode;
  readonly rowSchemaOf: RowSchemaOf;
  /** Of a tick: null, no record came. */
  readonly input: MicroBatchInput | null;
  /** Epoch ms: dates rows that have no time. */
  readonly arrival: number;
}

/** Rows to final bytes, before the commit: same rows, same bytes. Nothing is staged for an output without rows. */
export function stageOutput(
  sinks: Readonly<Record<OutputName, Sink>>,
  output: MicroBatchOutput,
  { schema, outputMode, rowSchemaOf, input, arrival }: OutputShape,
): readonly OutboxPart[] {
  const placeOf = (origin: Origin) => {
    const entry = input === null ? undefined : inputRecord(input, origin.record);
    if (entry === undefined) return null;
    const { sequence, sub } = entry.record;
    return { stream: entry.delivery.stream, shard: entry.delivery.shard, sequence, sub };
  };
  const late = output.late.map((row) =>
    lateOutputRow(row, { placeOf, schemaOf: (operatorId) => rowSchemaOf(operatorId, row.row) }),
  );
  const malformed = [
    ...output.malformed.map((record) => malformedOutputRow(record)),
    ...output.withoutTime.map((row) =>
      malformedOutputRow(withoutPlace(row, input), rowSchemaOf(row.operatorId, row.row)),
    ),
  ];
  const batches: readonly OutputBatch[] = [
    { output: "result", rows: output.result, schema, outputMode, timeColumn: timeColumn(schema), arrival },
    lateBatch(late, arrival),
    malformedBatch(malformed, arrival),
  ];
  return batches.flatMap((batch) => stageInChunks(sinks[batch.output], batch));
}

/** Each chunk says where it begins, so that what it becomes can be published on its own and never twice under one name. */
function stageInChunks(sink: Sink, batch: OutputBatch): readonly OutboxPart[] {
  if (batch.rows.length === 0) return [];
  if (sink.wholeCommit === true) return staged(sink, batch);
  let firstRow = 0;
  return outputChunks(batch.rows).flatMap((rows) => {
    const parts = staged(sink, { ...batch, rows, firstRow });
    firstRow += rows.length;
    return parts;
  });
}

/** What is committed belongs to the sink it was staged for. */
const staged = (sink: Sink, batch: OutputBatch): readonly OutboxPart[] =>
  sink.target === undefined ? sink.stage(batch) : sink.stage(batch).map((part) => ({ ...part, target: sink.target! }));

/** A row that an operator cannot place in time; one that a stateful operator made has no record to point at. */
function withoutPlace(
  { operatorId, row, origin, reason, detail = `${operatorId} cannot place the row in time.` }: RejectedRow,
  input: MicroBatchInput | null,
): MalformedRecord {
  const entry = origin === null || input === null ? undefined : inputRecord(input, origin.record);
  if (entry !== undefined) return malformedRecord(entry, reason, detail, row);
  const nowhere = { source: operatorId, stream: operatorId, shard: "", sequence: "", sub: 0, arrival: null };
  return { ...nowhere, reason, detail, payload: { row } };
}

/** A window dates a row better than another time; a row with neither is dated by its arrival. */
function timeColumn({ fields }: Schema): string | null {
  const dated = fields.find(({ type }) => type === "window") ?? fields.find(({ type }) => type === "timestamp");
  return dated?.name ?? null;
}
