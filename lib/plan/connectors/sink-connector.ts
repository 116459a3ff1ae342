export interface S3SinkConnector {
  readonly kind: "s3";
  /** Before the query's name in every key, as in `page-views/`. */
  readonly prefix?: string;
  /** The deployment's own bucket by default. */
  readonly bucket?: string;
  /** JSON lines, compressed, by default. */
  readonly format?: "jsonl" | "parquet";
}

export interface DeltaSinkConnector {
  readonly kind: "delta";
  /** The table's folder in the bucket, as in `tables/page-views`. */
  readonly path: string;
  /** The deployment's own bucket by default. */
  readonly bucket?: string;
  /** Output columns that make the table's partitions. */
  readonly partitionBy?: readonly string[];
  /** Output columns whose rows are replaced, as MERGE does it; needed in update mode. Without it rows are added. */
  readonly key?: readonly string[];
  /** New columns of the query are added to the table. Off: such a batch is not written. */
  readonly mergeSchema?: boolean;
}

export interface DynamoDbSinkConnector {
  readonly kind: "dynamodb";
  readonly table: string;
  /** Output columns that make the item's key: partition key first, then, if the table has one, the sort key. */
  readonly key: readonly [string] | readonly [string, string];
}

export interface KinesisSinkConnector {
  readonly kind: "kinesis";
  readonly stream: string;
  /** The output column whose value is the partition key. */
  readonly partitionKey: string;
}

export interface ForeachBatchSinkConnector {
  readonly kind: "foreachBatch";
  /** The user's function, by its id in `QueryDefinition.functions`. */
  readonly handler: string;
  /** A commit with more rows is several calls; absent: one. */
  readonly maxRowsPerCall?: number;
}

interface ConsoleSinkConnector {
  readonly kind: "console";
}

interface MemorySinkConnector {
  readonly kind: "memory";
  readonly name?: string;
}

/** What a plan knows of a sink, plain JSON; its adapter is found by `kind` in the composition roots (DATA.md section 9). */
export type SinkConnector =
  | S3SinkConnector
  | DeltaSinkConnector
  | DynamoDbSinkConnector
  | KinesisSinkConnector
  | ForeachBatchSinkConnector
  | ConsoleSinkConnector
  | MemorySinkConnector;
