import type { OutputMode } from "../plan/logical-plan.js";
import type { Row, Schema } from "../plan/schema.js";

/** Everything that leaves the system is identified by this and nothing else (protocol.md rule 1). */
export interface PublishIdentity {
  readonly query: string;
  /** Fixed-width creation time in ms. */
  readonly incarnation: string;
  readonly partition: PartitionId;
  readonly batchId: number;
}

/** The number of a state partition, or the name of a source shard's ring, which no number begins (docs/design/partitions.md S4). */
export type PartitionId = number | string;

/** Numbers first, in their order. */
export const comparePartitions = (a: PartitionId, b: PartitionId): number =>
  typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : a === b ? 0 : 1;

/** A piece of staged output: final bytes, decided before the commit and never recomputed (DATA.md section 7). */
export interface OutboxPart {
  /** `result`, `late` or `malformed`: which output of the query. */
  readonly output: OutputName;
  /** The sink's kind, so that the publisher is found by name. */
  readonly sink: string;
  /** `Sink.target` of the one that staged it: it is published there, whatever the query writes to by then. */
  readonly target?: string;
  /** YYYY-MM-DD where the sink partitions by day. */
  readonly dt?: string;
  /** Of the object key, where the sink writes objects: the bytes keep their format whatever the query writes later. */
  readonly extension?: string;
  /** Index, within this output of the commit, of the first row that it was staged with; absent: 0. */
  readonly firstRow?: number;
  /** Published in one step with the part before it; absent: a step of its own. */
  readonly joins?: true;
  readonly bytes: Uint8Array;
}

export type OutputName = "result" | "late" | "malformed";

export interface OutputBatch {
  readonly output: OutputName;
  readonly rows: readonly Row[];
  readonly schema: Schema;
  readonly outputMode: OutputMode;
  /** The column (window or event time) that dates a row; rows without use `arrival`. */
  readonly timeColumn: string | null;
  /** Epoch ms: arrival of the delivery's newest record, or the processing time of a tick. */
  readonly arrival: number;
  /** How many rows of this output of the commit were staged before these; absent: none. */
  readonly firstRow?: number;
}

/** Where a part stands in its output, and whether it is published with the part before it. */
export const staging = (
  { firstRow = 0 }: Pick<OutputBatch, "firstRow">,
  joins: boolean,
): Pick<OutboxPart, "firstRow" | "joins"> => ({
  ...(firstRow === 0 ? {} : { firstRow }),
  ...(joins ? { joins: true as const } : {}),
});

/**
 * Two halves. `stage` is pure and runs before the commit: same rows, same bytes. `publish` runs after it, any number of times,
 * perhaps concurrently and arbitrarily late, always with the same identity and bytes; it must leave the world as if it ran once
 * (or say in its docs that it delivers at least once).
 */
export interface Sink {
  readonly kind: string;
  /** All rows of a commit's output come in one call of `stage`, however many they are; absent: in chunks, each with its `firstRow`. */
  readonly wholeCommit?: true;
  /** Each part, with those that join it, is what `publish` does in about a second (rule A10): it may be killed between any two. */
  /** Where it writes, as text from which `formerSink` can open it again; absent where the kind says all. */
  readonly target?: string;
  stage(batch: OutputBatch): readonly OutboxPart[];
  /** One step: parts of one output. */
  publish(identity: PublishIdentity, parts: readonly OutboxPart[]): Promise<void>;
}

/** Where each output goes. */
export interface OutputSinks extends Readonly<Record<OutputName, Sink>> {
  /** They get the results too, in the same commit and under the same identity. */
  readonly others?: readonly Sink[];
}

export const sinksOfOutput = (sinks: OutputSinks, output: OutputName): readonly Sink[] =>
  output === "result" ? [sinks.result, ...(sinks.others ?? [])] : [sinks[output]];
