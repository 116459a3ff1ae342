/** The public door: everything that a query file needs; the Lambda runtime is `tidemark/lambda`, what tests need `tidemark/testing`. */

export {
  type Aggregate,
  type ApproxCountDistinctOptions,
  type ApproxPercentileOptions,
  approxCountDistinct,
  approxPercentile,
  avg,
  bitAnd,
  collectList,
  collectSet,
  count,
  countDistinct,
  type FirstLastOptions,
  first,
  last,
  max,
  maxBy,
  min,
  minBy,
  stddev,
  sum,
  type UserAggregate,
  userAggregate,
  variance,
} from "./api/aggregates.js";
export type { ColumnDeclaration, Columns, ColumnType, RowOf } from "./api/column-type.js";
export {
  array,
  boolean,
  type ColumnsSchema,
  columns,
  double,
  int,
  json,
  long,
  string,
  struct,
  timestamp,
  timestampNtz,
} from "./api/columns.js";
export type { DataStream, MapOptions } from "./api/data-stream.js";
export { csv, jsonArray, jsonLines } from "./api/decoders.js";
export {
  type BatchIdentity,
  console,
  type DeltaSinkOptions,
  type DynamoDbSinkOptions,
  delta,
  dynamodb,
  type FilesSourceOptions,
  type ForeachBatchOptions,
  files,
  foreachBatch,
  type KafkaSourceOptions,
  type KinesisSinkOptions,
  type KinesisSourceOptions,
  kafka,
  kinesis,
  type MemorySourceOptions,
  memory,
  type S3SinkOptions,
  type SinkDescriptor,
  type SourceDescriptor,
  s3,
} from "./api/descriptors.js";
export { col, type Expr, interval, type Literal, lit, type Operand } from "./api/expr.js";
export type { GroupedStream, StatefulOptions } from "./api/grouped-stream.js";
export type { JoinOptions, JoinSide, Within } from "./api/join-options.js";
export { and, coalesce, not, or, type When, when } from "./api/logic-functions.js";
export { abs, ceil, floor, negate, round } from "./api/number-functions.js";
export type { OperatorOptions } from "./api/operator-options.js";
export { isQuery, QUERY_BRAND, type Query } from "./api/query.js";
export { readStream, readTable, type TableOptions, type TableRows } from "./api/read-stream.js";
export type { SourceSchema } from "./api/source-schema.js";
export type {
  ExpiredTimerInfo,
  GroupFunction,
  GroupState,
  InitialState,
  ListState,
  MapState,
  ProcessorFactory,
  StatefulProcessor,
  StatefulProcessorHandle,
  StateVariableOptions,
  TimerValues,
  ValueState,
} from "./api/stateful.js";
export {
  concat,
  contains,
  endsWith,
  length,
  lower,
  regexpLike,
  startsWith,
  substring,
  trim,
  upper,
} from "./api/text-functions.js";
export {
  dateFormat,
  dateTrunc,
  dayOfMonth,
  dayOfWeek,
  fromUnixtime,
  fromUtcTimestamp,
  hour,
  type InTimeZone,
  minute,
  month,
  second,
  type TruncationUnit,
  timestampMicros,
  timestampMillis,
  timestampSeconds,
  toTimestamp,
  toUtcTimestamp,
  tryToTimestamp,
  unixMicros,
  unixMillis,
  unixSeconds,
  unixTimestamp,
  windowOf,
  windowTime,
  year,
} from "./api/time-functions.js";
export type { Trigger } from "./api/trigger.js";
export type { StreamTypeError } from "./api/type-errors.js";
export { type GapCases, sessionWindow, type WindowKey, type WindowOptions, window } from "./api/window-functions.js";
export type { RunOptions, WriteStreamOptions } from "./api/write-stream.js";
export { type ErrorDomain, TidemarkError } from "./errors.js";
export type { HistogramBar } from "./lateness/histogram.js";
export { type LatenessMeter, type LatenessOptions, latenessMeter } from "./lateness/lateness-meter.js";
export type { DelayCandidate, LatenessReport } from "./lateness/lateness-report.js";
export type { Quantiles } from "./lateness/quantiles.js";
export type { CsvOptions, FileOptions } from "./plan/connectors/file-options.js";
export type { MetadataColumns, MetadataName, SourceWatermarkOptions } from "./plan/connectors/source-connector.js";
export type { JoinType, LateRule, OutputMode, QueryDefinition, WatermarkPolicy } from "./plan/logical-plan.js";
export type { Row } from "./plan/schema.js";
export type { PlanWarning } from "./plan/warnings.js";
export type { Decode, DecodedValue } from "./sources/decoded-values.js";
export type { RecordHeader, RecordMetadata } from "./sources/record-metadata.js";
export type { EventTime, Watermark } from "./time/event-time.js";
export type { TimestampReading, TimeUnit } from "./time/timestamp-reader.js";
export type { Window } from "./time/window.js";
