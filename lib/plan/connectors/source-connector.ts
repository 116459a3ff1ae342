import type { FileOptions } from "./file-options.js";

/** How the shards of a source move its watermark (DESIGN.md section 4). */
export interface SourceWatermarkOptions {
  /**
   * `auto`: no shard's rows are late only because another shard was read further. `max`: Spark's rule over what was read.
   * `min`: the minimum over live shards, with `idleTimeout`.
   */
  readonly across?: "auto" | "max" | "min";
  /** Only with `across: "min"`: a shard silent for so long ("2 minutes", or milliseconds) no longer holds the watermark. */
  readonly idleTimeout?: string | number;
  /** A row stamped further ahead of its arrival than this is processed, but does not move the watermark; 1 hour by default, false: off. */
  readonly maxFutureSkew?: string | number | false;
}

interface AnySource {
  /** Names the source's offsets, watermark and CLI inputs; unique in the query. */
  readonly name?: string;
  /** Where the source was given a Standard Schema: its id in `QueryDefinition.functions`. */
  readonly validate?: string;
  /** Where the source has a function from bytes to rows: its id in `QueryDefinition.functions`. */
  readonly decode?: string;
  /** Columns that hold what is known of a record beside its bytes, by their names. */
  readonly metadata?: MetadataColumns;
}

export type MetadataColumns = Readonly<Record<string, MetadataName>>;

/** What is known of a record; `topic`, `partition`, `offset` and `timestamp` are Kafka's words for stream, shard, sequence and arrival. */
export type MetadataName =
  | "stream"
  | "topic"
  | "shard"
  | "partition"
  | "sequence"
  | "offset"
  | "arrival"
  | "timestamp"
  | "partitionKey"
  | "key"
  | "headers";

export interface KinesisSourceConnector extends AnySource, SourceWatermarkOptions {
  readonly kind: "kinesis";
  readonly stream: string;
}

export interface KafkaSourceConnector extends AnySource, SourceWatermarkOptions {
  readonly kind: "kafka";
  readonly topic: string;
  /** How many partitions the topic has, so that each holds the watermark from the start: `across: "auto"` and `"min"` need it. */
  readonly partitions?: number;
  /** `host:port`, separated by commas; what the deployment's mapping connects to. */
  readonly bootstrapServers?: string;
}

export interface FilesSourceConnector extends AnySource {
  readonly kind: "files";
  /** Read in this order; the CLI replaces them with `--input`. */
  readonly paths?: readonly string[];
  /** How text is read, by the names of Spark's readers; `--option` on the command line goes before it. */
  readonly options?: FileOptions;
}

export interface MemorySourceConnector extends AnySource, SourceWatermarkOptions {
  readonly kind: "memory";
}

/** What a plan knows of a source, plain JSON; its adapter is found by `kind` in the composition roots (DATA.md section 9). */
export type SourceConnector =
  | KinesisSourceConnector
  | KafkaSourceConnector
  | FilesSourceConnector
  | MemorySourceConnector;
