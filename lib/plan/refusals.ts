import { type TidemarkError, userError } from "../errors.js";

/** One thing that is refused when a query is built. */
export interface Refusal {
  /** Which rule, in words that finish "refused is …". */
  readonly what: string;
  /** Spark's error conditions for the same; empty where Spark accepts it, or throws without a condition. */
  readonly spark: readonly string[];
  readonly reason: string;
  readonly remedy: string;
}

const ANALYSIS = "_LEGACY_ERROR_TEMP_3102";
const OUTPUT_MODE = "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION";

/** Everything `check-supported` refuses, by code. Codes are API. What the node factories refuse stands in `factory-refusals`. */
export const REFUSALS = Object.freeze({
  "append-without-watermark": {
    what: "append mode over an aggregation without a watermark, or without its event time among the keys",
    spark: [OUTPUT_MODE],
    reason:
      "In append mode a group is emitted once, when the watermark passes it; this one has no event time to be passed.",
    remedy:
      "Call withWatermark() before groupBy() and group by window() of that column or by the column, or use update mode.",
  },
  "complete-without-aggregation": {
    what: "complete mode without an aggregation",
    spark: [OUTPUT_MODE],
    reason: "Complete mode emits the whole result in every batch; without an aggregation that is the whole stream.",
    remedy: "Use append mode, or aggregate.",
  },
  "kafka-partitions-unknown": {
    what: '`across: "auto"` or `"min"` of a Kafka topic without the number of its partitions',
    spark: [],
    reason: "A partition that was not read yet would hold nothing back, and its rows would be late.",
    remedy: 'Give kafka({ …, partitions: 12 }), or take Spark\'s rule: across: "max".',
  },
  "session-update": {
    what: "update mode over session windows",
    spark: [OUTPUT_MODE],
    reason: "A session that grows or merges has no row that an update could replace.",
    remedy: "Use append mode with a watermark, or complete mode.",
  },
  "session-without-keys": {
    what: "a session window without a further grouping key",
    spark: ["_LEGACY_ERROR_TEMP_3068"],
    reason: "Sessions are kept per key; over all rows there is only one, which hardly ever closes.",
    remedy: "Group by sessionWindow() and at least one column.",
  },
  "dedup-without-watermark": {
    what: "dropDuplicatesWithinWatermark without a watermark",
    spark: [ANALYSIS],
    reason: "A key is kept for the delay of the watermark, and there is none.",
    remedy: "Call withWatermark() first, or use dropDuplicates(), which keeps every key for ever.",
  },
  "multiple-event-time-columns": {
    what: "an operator over more than one event-time column",
    spark: ["MULTIPLE_EVENT_TIME_COLUMNS"],
    reason: "Late rows are told by one event time, and here are several.",
    remedy: "Keep one of them with select() before this operator; group by window() or by the raw column, not both.",
  },
  "chain-late-rows": {
    what: "a stateful operator after one that emits old rows (an aggregation in update or complete mode, groups with event-time timeout)",
    spark: [ANALYSIS],
    reason: "The operator below emits rows older than the watermark, which the one above would drop as late.",
    remedy: "Use append mode, or write the first result to a stream and read it in a second query.",
  },
  "watermark-redefined": {
    what: "a second watermark above another",
    spark: ["_LEGACY_ERROR_TEMP_3076"],
    reason: "A stream has one watermark; Spark starts such a query and kills it in its second batch.",
    remedy: "Remove one withWatermark(); on a union, mark each input or the result, not both.",
  },
  "join-output-mode": {
    what: "an outer join in update mode, any stream–stream join in complete mode",
    spark: [ANALYSIS],
    reason: "A row padded with NULL would have to be taken back when its match comes.",
    remedy: "Use append mode.",
  },
  "join-left-anti": {
    what: "a left anti join of two streams",
    spark: [ANALYSIS],
    reason: "That a row has no match is known only at the end of the other stream.",
    remedy: "Use a left outer join with `within` and filter the rows whose right side is null.",
  },
  "join-without-equality": {
    what: "a stream–stream join without an equality between its sides",
    spark: ["_LEGACY_ERROR_TEMP_1181"],
    reason: "Every row would have to meet every other.",
    remedy: "Add an equality between a column of each side to `on`.",
  },
  "join-never-emits": {
    what: "an outer or left semi join whose unmatched rows could never be emitted or forgotten",
    spark: [ANALYSIS],
    reason:
      "An unmatched row is decided when the watermark proves that no match can come; that needs a watermark on both sides and a time bound.",
    remedy:
      "Call withWatermark() on both sides and bound the times with `within` (or join on equal event times or windows).",
  },
  "join-static-side": {
    what: "an outer, semi or anti join with a static table that would have to know all of the stream",
    spark: [ANALYSIS],
    reason: "A row of the table without a match is known only at the end of the stream.",
    remedy: "Put the stream on the left and use inner, leftOuter, leftSemi or leftAnti.",
  },
  "no-stream": {
    what: "a query over tables alone",
    spark: [ANALYSIS],
    reason: "Nothing ever arrives, so no micro-batch ever runs.",
    remedy: "Begin with readStream().",
  },
  "static-verb": {
    what: "a table that goes through anything but select, filter, map, flatMap and union before its join",
    spark: [],
    reason: "A table is prepared once, without micro-batches or state.",
    remedy: "Prepare the rows where the table is made.",
  },
  "union-static": {
    what: "a union of a stream and a table",
    spark: [ANALYSIS],
    reason: "The rows of the table belong to no micro-batch.",
    remedy: "Join with the table, or put its rows into a stream.",
  },
  "limit-output-mode": {
    what: "a limit in update mode",
    spark: [ANALYSIS],
    reason: "Which rows are the first n may change when rows are updated.",
    remedy: "Use append mode, or complete mode after an aggregation.",
  },
  "sort-unsupported": {
    what: "sorting, unless it is of an aggregation in complete mode",
    spark: [ANALYSIS],
    reason: "Sorting needs all rows, and a stream goes on.",
    remedy: "Sort where the result is read, or use complete mode after an aggregation.",
  },
  "timeout-without-watermark": {
    what: "groups with event-time timeout without a watermark",
    spark: [ANALYSIS],
    reason: "Without a watermark no event-time timeout is ever due.",
    remedy: "Call withWatermark() before groupBy(), or use processing time.",
  },
  "stateful-output-mode": {
    what: "a processor declared for another output mode than the query's, or one after an aggregation",
    spark: [ANALYSIS],
    reason: "What the processor emits is meant for another output mode.",
    remedy: "Give the processor and the query the same outputMode.",
  },
  "sink-output-mode": {
    what: "a sink that cannot hold what the output mode emits",
    spark: [],
    reason: "The sink can only add rows, and this output mode also replaces them.",
    remedy: "Use append mode, or a sink with keys such as dynamodb().",
  },
  "duplicate-operator-id": {
    what: "one id on two operators",
    spark: [],
    reason: "Their state would be one.",
    remedy: "Give each operator its own id.",
  },
  "duplicate-source-name": {
    what: "one name on two different sources, or two names on one stream",
    spark: [],
    reason: "Their offsets and watermarks would be one, and a stream is delivered to a query once.",
    remedy:
      "Give each stream a name of its own; read one stream once, with the columns of both uses, and filter it twice.",
  },
  "sink-open-schema": {
    what: "Parquet of rows whose columns are not known beforehand",
    spark: [],
    reason: "A file of Parquet begins with its columns.",
    remedy: "Declare the columns: of the source with columns(), of map() and flatMap() with their option columns.",
  },
  "sink-key": {
    what: "a sink whose key is not among the output columns, or is no key of a table",
    spark: [],
    reason: "Rows could not be told apart in the table.",
    remedy: "Name columns of the result in the sink's key.",
  },
  "sink-twice": {
    what: "two sinks of one query that write to the same place",
    spark: [],
    reason: "They would write over each other, or each row twice.",
    remedy: "Give each its own table, stream, path or prefix.",
  },
  "sink-partition": {
    what: "a partition column of a Delta table that is no text, whole number or boolean, or that leaves no other column",
    spark: ["INVALID_PARTITION_COLUMN_DATA_TYPE", "ALL_PARTITION_COLUMNS_NOT_ALLOWED"],
    reason: "Partitions are folders named by the column's values.",
    remedy: "Partition by another column, or cast this one to string().",
  },
  "partition-without-state": {
    what: "several state partitions where some rows meet no stateful operator",
    spark: [],
    reason: "Rows are spread by the keys of stateful operators, and these meet none.",
    remedy: "Leave statePartitions at 1, or write those rows with a query of their own.",
  },
  "partition-watermark": {
    what: "several state partitions with a watermark after a stateful operator",
    spark: [],
    reason: "Each partition would know only its own rows' event times.",
    remedy: "Call withWatermark() before the first stateful operator, or leave statePartitions at 1.",
  },
  "partition-source": {
    what: "several state partitions over a source other than Kinesis",
    spark: [],
    reason: "Only a Kinesis shard is delivered by one reader at a time, in order.",
    remedy: "Leave statePartitions at 1, or bring the rows to a Kinesis stream.",
  },
  "partition-keys": {
    what: "several state partitions where the stateful operators have no key column in common",
    spark: [],
    reason:
      "Rows that meet in one operator must be in one partition; windows and event times tell none, and expressions do not count.",
    remedy: "Group, deduplicate and join by one plain column everywhere, or leave statePartitions at 1.",
  },
  "partition-by": {
    what: "partitionBy with a column that is not among the keys of every stateful operator",
    spark: [],
    reason: "Rows that belong together would go to different partitions.",
    remedy: "Name some of the columns that the message lists, or leave partitionBy out.",
  },
  "partition-sink-whole": {
    what: "several state partitions in complete mode to a table that each batch replaces whole, as delta() is",
    spark: [],
    reason: "A partition has a part of the result, and would put it in the place of all.",
    remedy: "Use update mode with a key, or dynamodb(), or leave statePartitions at 1.",
  },
  "partition-sink-key": {
    what: "several state partitions with a table whose key lacks a column by which rows are spread",
    spark: [],
    reason: "Two partitions would write one item, and their batch numbers do not compare.",
    remedy: "Put the column into the table's key, or name with partitionBy only columns that are in it.",
  },
} as const satisfies Readonly<Record<string, Refusal>>);

export type RefusalCode = keyof typeof REFUSALS;

/** The error for a code; `detail` says where in this query. */
export function refusal(code: RefusalCode, detail?: string): TidemarkError {
  const { reason, remedy } = REFUSALS[code];
  return userError(code, detail === undefined ? reason : `${detail}: ${reason}`, remedy);
}
