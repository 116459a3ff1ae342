import type { Descriptor } from "../plan/logical-plan.js";
import type { SourceSchema } from "./source-schema.js";

/** What readStream takes: which rows, from where. */
export interface SourceDescriptor<Schema extends SourceSchema = SourceSchema> extends Descriptor {
  /** Names the source's offsets, watermark and CLI inputs; unique in the query. */
  readonly name: string;
  readonly schema: Schema;
}

/** What writeStream takes: where results go. `handler` is a user function, kept beside the plan. */
export interface SinkDescriptor extends Descriptor {
  readonly handler?: (...args: never[]) => unknown;
}

/** How the shards of a source move its watermark (DESIGN.md section 4). */
export interface SourceWatermarkOptions {
  /**
   * `auto`: no shard's rows are late only because another shard was read further. `max`: Spark's rule over what was read.
   * `min`: the minimum over live shards, with `idleTimeout`.
   */
  readonly across?: "auto" | "max" | "min";
  /** Only with `across: "min"`: a shard silent for so long no longer holds the watermark. */
  readonly idleTimeout?: string;
  /** A row stamped further ahead of its arrival than this is processed, but does not move the watermark; 1 hour by default, false: off. */
  readonly maxFutureSkew?: string | false;
}

/** Options of a Kinesis source. */
export interface KinesisSourceOptions<Schema extends SourceSchema> extends SourceWatermarkOptions {
  readonly stream: string;
  readonly schema: Schema;
  /** The stream's name by default. */
  readonly name?: string;
}

/** Options of a Kinesis sink. */
export interface KinesisSinkOptions {
  readonly stream: string;
  /** The output column whose value is the partition key. */
  readonly partitionKey: string;
}

/**
 * A Kinesis data stream: with a `schema` a source, without one a sink.
 * As a sink it delivers at least once, each record with the identity of its micro-batch and an index, so that repeats can be told.
 *
 * @example readStream(kinesis({ stream: "page-views", schema: PageView }))
 * @example writeStream({ queryName, outputMode: "append", sink: kinesis({ stream: "sessions", partitionKey: "userId" }) })
 */
export function kinesis<Schema extends SourceSchema>(options: KinesisSourceOptions<Schema>): SourceDescriptor<Schema>;
export function kinesis(options: KinesisSinkOptions): SinkDescriptor;
export function kinesis(options: KinesisSourceOptions<SourceSchema> | KinesisSinkOptions): Descriptor {
  return "schema" in options ? source("kinesis", options.stream, options) : sink("kinesis", options);
}

/** Options of a Kafka source. */
export interface KafkaSourceOptions<Schema extends SourceSchema> extends SourceWatermarkOptions {
  readonly topic: string;
  readonly schema: Schema;
  /** The topic's name by default. */
  readonly name?: string;
  /** `host:port`, separated by commas; what the deployment's mapping connects to. */
  readonly bootstrapServers?: string;
}

/**
 * A Kafka topic, read through Lambda's event source mapping; its partitions are its shards.
 * @example readStream(kafka({ topic: "page-views", schema: PageView }))
 */
export const kafka = <Schema extends SourceSchema>(options: KafkaSourceOptions<Schema>): SourceDescriptor<Schema> =>
  source("kafka", options.topic, options);

/** Options of a files source. */
export interface FilesSourceOptions<Schema extends SourceSchema> {
  readonly name: string;
  readonly schema: Schema;
  /** Read in this order; the CLI replaces them with `--input`. */
  readonly paths?: readonly string[];
}

/**
 * Files of JSON lines, CSV or Parquet, told by their endings, for backfills and tests. Records have no arrival time, so the watermark is Spark's maximum.
 * @example readStream(files({ name: "views", schema: PageView, paths: ["views.jsonl"] }))
 */
export const files = <Schema extends SourceSchema>(options: FilesSourceOptions<Schema>): SourceDescriptor<Schema> =>
  source("files", options.name, options);

/** Options of a memory source. */
export interface MemorySourceOptions<Schema extends SourceSchema> extends SourceWatermarkOptions {
  readonly name: string;
  readonly schema: Schema;
}

/**
 * Rows handed over in tests: with a `schema` a source, without one a sink that keeps what it is given.
 * @example readStream(memory({ name: "views", schema: PageView }))
 * @example writeStream({ queryName, outputMode: "append", sink: memory() })
 */
export function memory<Schema extends SourceSchema>(options: MemorySourceOptions<Schema>): SourceDescriptor<Schema>;
export function memory(options?: { readonly name?: string }): SinkDescriptor;
export function memory(options: MemorySourceOptions<SourceSchema> | { readonly name?: string } = {}): Descriptor {
  return "schema" in options ? source("memory", options.name, options) : sink("memory", options);
}

const source = <Schema extends SourceSchema>(
  kind: string,
  name: string,
  options: { readonly schema: Schema; readonly name?: string },
): SourceDescriptor<Schema> => Object.freeze({ kind, name, ...options });

/** Options of an S3 sink. */
export interface S3SinkOptions {
  /** Before the query's name in every key, as in `page-views/`. */
  readonly prefix?: string;
  /** The deployment's own bucket by default. */
  readonly bucket?: string;
  /** JSON lines, compressed, by default. */
  readonly format?: "jsonl" | "parquet";
}

/**
 * Objects in S3, one per micro-batch and day, under `<prefix><query>/<incarnation>/dt=YYYY-MM-DD/…` (DESIGN.md section 8).
 * The same micro-batch writes the same bytes under the same key, however often it is repeated. Append mode only.
 * @example writeStream({ queryName, outputMode: "append", sink: s3({ prefix: "page-views/", format: "parquet" }) })
 */
export const s3 = (options: S3SinkOptions = {}): SinkDescriptor => sink("s3", options);

/** JSON lines on standard output, in any output mode; what is published again is printed again. @example writeStream({ queryName, outputMode: "complete", sink: console() }) */
export const console = (): SinkDescriptor => sink("console", {});

/** Options of a DynamoDB sink. */
export interface DynamoDbSinkOptions {
  readonly table: string;
  /** Output columns that make the item's key: partition key first, then, if the table has one, the sort key. */
  readonly key: readonly [string] | readonly [string, string];
}

/**
 * Items of a DynamoDB table, one per key, the newest row of a key winning: what update mode needs.
 * Each is one conditional write, so that a micro-batch that is published again, or late, changes nothing.
 * @example writeStream({ queryName, outputMode: "update", sink: dynamodb({ table: "page-views", key: ["page", "window"] }) })
 */
export const dynamodb = (options: DynamoDbSinkOptions): SinkDescriptor => sink("dynamodb", options);

/** What identifies a micro-batch to `foreachBatch`: the same for the same rows, whatever is repeated. */
export interface BatchIdentity {
  readonly query: string;
  readonly incarnation: string;
  readonly partition: number;
  readonly batchId: number;
}

/**
 * Calls your function with the rows of each micro-batch that has any. It may be called again, even at the same time, with the
 * same identity and the same rows: make what it does idempotent by the identity.
 * @example foreachBatch(async (rows, { batchId }) => { await upsert(rows, batchId); })
 */
export const foreachBatch = (
  handler: (rows: readonly Readonly<Record<string, unknown>>[], identity: BatchIdentity) => Promise<void>,
): SinkDescriptor => sink("foreachBatch", { handler });

const sink = (kind: string, options: object): SinkDescriptor => Object.freeze({ kind, ...options });
