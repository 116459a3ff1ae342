import { checkFileOptions } from "../plan/connectors/file-options.js";
import type {
  DeltaSinkConnector,
  DynamoDbSinkConnector,
  ForeachBatchSinkConnector,
  KinesisSinkConnector,
  S3SinkConnector,
  SinkConnector,
} from "../plan/connectors/sink-connector.js";
import type {
  FilesSourceConnector,
  KafkaSourceConnector,
  KinesisSourceConnector,
  MemorySourceConnector,
  MetadataColumns,
  SourceConnector,
} from "../plan/connectors/source-connector.js";
import type { Decode } from "../sources/decoded-values.js";
import { type WithMetadata, withMetadataColumns } from "./record-columns.js";
import type { SourceSchema } from "./source-schema.js";

/** What readStream takes: which rows, from where. `name` names the source's offsets, watermark and CLI inputs; it is unique in the query. */
export type SourceDescriptor<Schema extends SourceSchema = SourceSchema> = SourceConnector extends infer Connector
  ? Connector extends SourceConnector
    ? Omit<Connector, "decode"> & WithSchema<Schema>
    : never
  : never;

// biome-ignore lint/complexity/noBannedTypes: no column, and the inference of one
type NoColumns = {};

/** What writeStream takes: where results go. */
export type SinkDescriptor = Exclude<SinkConnector, ForeachBatchSinkConnector> | ForeachBatchDescriptor;

/** As the user writes it: the function itself, where a plan has its id. */
interface ForeachBatchDescriptor extends Pick<ForeachBatchSinkConnector, "kind"> {
  readonly handler: ForeachBatch;
}

interface WithSchema<Schema> {
  readonly name: string;
  readonly schema: Schema;
  readonly decode?: Decode;
}

type Options<Connector> = Omit<Connector, "kind" | "validate" | "decode" | "metadata">;

/** What every source may be told of its records. */
interface RecordOptions<M extends MetadataColumns> {
  /**
   * From the bytes of a record to a row, or several: an object is a row's members, text and bytes are JSON of one. Ready ones are `jsonLines()`,
   * `jsonArray()`, `csv()`, and of `tidemark/avro` `avro()` and `schemaRegistry()`. Pure and synchronous; gzip is inflated before.
   */
  readonly decode?: Decode;
  /** Columns that hold what is known of a record beside its bytes. @example metadata: { arrivedAt: "arrival", key: "partitionKey" } */
  readonly metadata?: M;
}

/** With the columns of metadata in the schema. */
const described = <Schema extends SourceSchema, M extends MetadataColumns, Options>(
  options: Options & RecordOptions<M> & { readonly schema: Schema },
): Omit<Options, "schema"> & { readonly schema: WithMetadata<Schema, M> } => ({
  ...options,
  schema: withMetadataColumns(options.schema, options.metadata),
});

/** Options of a Kinesis source; its name is the stream's by default. */
export interface KinesisSourceOptions<Schema extends SourceSchema, M extends MetadataColumns = NoColumns>
  extends Options<KinesisSourceConnector>,
    RecordOptions<M> {
  readonly schema: Schema;
}

/** Options of a Kinesis sink. */
export type KinesisSinkOptions = Options<KinesisSinkConnector>;

/**
 * A Kinesis data stream: with a `schema` a source, without one a sink.
 * As a sink it delivers at least once, each record with the identity of its micro-batch and an index, so that repeats can be told.
 *
 * @example readStream(kinesis({ stream: "page-views", schema: PageView }))
 * @example writeStream({ queryName, outputMode: "append", sink: kinesis({ stream: "sessions", partitionKey: "userId" }) })
 */
export function kinesis<Schema extends SourceSchema, const M extends MetadataColumns = NoColumns>(
  options: KinesisSourceOptions<Schema, M>,
): SourceDescriptor<WithMetadata<Schema, M>>;
export function kinesis(options: KinesisSinkOptions): SinkDescriptor;
export function kinesis(
  options: KinesisSourceOptions<SourceSchema> | KinesisSinkOptions,
): SourceDescriptor | SinkDescriptor {
  return "schema" in options
    ? Object.freeze({ kind: "kinesis", name: options.stream, ...described(options) })
    : Object.freeze({ kind: "kinesis", ...options });
}

/** Options of a Kafka source; its name is the topic's by default. */
export interface KafkaSourceOptions<Schema extends SourceSchema, M extends MetadataColumns = NoColumns>
  extends Options<KafkaSourceConnector>,
    RecordOptions<M> {
  readonly schema: Schema;
}

/**
 * A Kafka topic, read through Lambda's event source mapping; its partitions are its shards.
 * @example readStream(kafka({ topic: "page-views", schema: PageView }))
 */
export const kafka = <Schema extends SourceSchema, const M extends MetadataColumns = NoColumns>(
  options: KafkaSourceOptions<Schema, M>,
): SourceDescriptor<WithMetadata<Schema, M>> =>
  Object.freeze({ kind: "kafka", name: options.topic, ...described(options) });

/** Options of a files source. */
export interface FilesSourceOptions<Schema extends SourceSchema, M extends MetadataColumns = NoColumns>
  extends Options<FilesSourceConnector>,
    RecordOptions<M> {
  readonly name: string;
  readonly schema: Schema;
}

/**
 * Files of JSON lines, CSV or Parquet, told by their endings, for backfills and tests. Records have no arrival time, so the watermark is Spark's maximum.
 * @example readStream(files({ name: "views", schema: PageView, paths: ["views.jsonl"] }))
 * @example files({ name: "flights", schema: Flight, options: { sep: ";", nullValue: "NA", timestampFormat: "MMM d yyyy" } })
 * @throws `option-unknown`, `option-invalid`, `time-pattern`
 */
export const files = <Schema extends SourceSchema, const M extends MetadataColumns = NoColumns>(
  options: FilesSourceOptions<Schema, M>,
): SourceDescriptor<WithMetadata<Schema, M>> => {
  checkFileOptions(options.options ?? {});
  return Object.freeze({ kind: "files", ...described(options) });
};

/** Options of a memory source. */
export interface MemorySourceOptions<Schema extends SourceSchema, M extends MetadataColumns = NoColumns>
  extends Options<MemorySourceConnector>,
    RecordOptions<M> {
  readonly name: string;
  readonly schema: Schema;
}

/**
 * Rows handed over in tests: with a `schema` a source, without one a sink that keeps what it is given.
 * @example readStream(memory({ name: "views", schema: PageView }))
 * @example writeStream({ queryName, outputMode: "append", sink: memory() })
 */
export function memory<Schema extends SourceSchema, const M extends MetadataColumns = NoColumns>(
  options: MemorySourceOptions<Schema, M>,
): SourceDescriptor<WithMetadata<Schema, M>>;
export function memory(options?: { readonly name?: string }): SinkDescriptor;
export function memory(
  options: MemorySourceOptions<SourceSchema> | { readonly name?: string } = {},
): SourceDescriptor | SinkDescriptor {
  return Object.freeze({ kind: "memory", ...("schema" in options ? described(options) : options) });
}

/** Options of an S3 sink. */
export type S3SinkOptions = Options<S3SinkConnector>;

/**
 * Objects in S3, one per micro-batch and day, under `<prefix><query>/<incarnation>/dt=YYYY-MM-DD/…` (DESIGN.md section 8).
 * The same micro-batch writes the same bytes under the same key, however often it is repeated. Append mode only.
 * @example writeStream({ queryName, outputMode: "append", sink: s3({ prefix: "page-views/", format: "parquet" }) })
 */
export const s3 = (options: S3SinkOptions = {}): SinkDescriptor => Object.freeze({ kind: "s3", ...options });

/** Options of a Delta sink. */
export type DeltaSinkOptions = Options<DeltaSinkConnector>;

/**
 * A Delta Lake table in S3: Parquet files and a transaction log. Each micro-batch is one commit of the log, once however often it is repeated.
 * Append mode adds rows, or replaces those with the same `key`; update mode replaces by `key`; complete mode replaces the whole table.
 * @example writeStream({ queryName, outputMode: "append", sink: delta({ path: "tables/clicks", partitionBy: ["country"] }) })
 */
export const delta = (options: DeltaSinkOptions): SinkDescriptor => Object.freeze({ kind: "delta", ...options });

/** JSON lines on standard output, in any output mode; what is published again is printed again. @example writeStream({ queryName, outputMode: "complete", sink: console() }) */
export const console = (): SinkDescriptor => Object.freeze({ kind: "console" });

/** Options of a DynamoDB sink. */
export type DynamoDbSinkOptions = Options<DynamoDbSinkConnector>;

/**
 * Items of a DynamoDB table, one per key, the newest row of a key winning: what update mode needs.
 * Each is one conditional write, so that a micro-batch that is published again, or late, changes nothing.
 * @example writeStream({ queryName, outputMode: "update", sink: dynamodb({ table: "page-views", key: ["page", "window"] }) })
 */
export const dynamodb = (options: DynamoDbSinkOptions): SinkDescriptor =>
  Object.freeze({ kind: "dynamodb", ...options });

/** What identifies a micro-batch to `foreachBatch`: the same for the same rows, whatever is repeated. */
export interface BatchIdentity {
  readonly query: string;
  readonly incarnation: string;
  readonly partition: number;
  readonly batchId: number;
  /** Only with `maxRowsPerCall`: the index of the call's first row in its micro-batch. */
  readonly part?: number;
}

/** Options of a `foreachBatch` sink. */
export interface ForeachBatchOptions {
  /** A micro-batch with more rows is handed over in several calls, each under an identity with its own `part`. Default: one call. */
  readonly maxRowsPerCall?: number;
}

type ForeachBatch = (rows: readonly Readonly<Record<string, unknown>>[], identity: BatchIdentity) => Promise<void>;

/**
 * Calls your function with the rows of each micro-batch that has any. It may be called again, even at the same time, with the
 * same identity and the same rows: make what it does idempotent by the identity.
 * @example foreachBatch(async (rows, { batchId }) => { await upsert(rows, batchId); })
 */
export const foreachBatch = (handler: ForeachBatch, options: ForeachBatchOptions = {}): SinkDescriptor =>
  Object.freeze({ kind: "foreachBatch", handler, ...options });

/** Each kind has a function of its name; the compiler asks for a missing one. */
export const CONNECTOR_FUNCTIONS = Object.freeze({
  kinesis,
  kafka,
  files,
  memory,
  s3,
  delta,
  console,
  dynamodb,
  foreachBatch,
}) satisfies Readonly<Record<SourceConnector["kind"] | SinkConnector["kind"], unknown>>;
