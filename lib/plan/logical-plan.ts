import type { CalendarPeriod } from "../time/calendar-window.js";
import type { Micros } from "../time/event-time.js";
import type { WatermarkPolicy } from "../time/watermark.js";
import type { AggregateName } from "./aggregate-functions.js";
import type { SinkConnector } from "./connectors/sink-connector.js";
import type { SourceConnector } from "./connectors/source-connector.js";
import type { TableConnector } from "./connectors/table-connector.js";
import type { Expression } from "./expression.js";
import type { DataType, Schema } from "./schema.js";

/** Which rows of the result a micro-batch emits: `append` those that are final, `update` those that changed, `complete` all. */
export type OutputMode = "append" | "update" | "complete";
/** `state`: late is what would change state that is gone (Spark's). `event-time`: also whatever is older than the watermark (SEMANTICS 0.2). */
export type LateRule = "state" | "event-time";
/** SQL's joins. `leftAnti` is for a fixed table alone: of a stream no row can be known never to come. */
export type JoinType = "inner" | "leftOuter" | "rightOuter" | "fullOuter" | "leftSemi" | "leftAnti";

export type { WatermarkPolicy };

/** A user function by its place in `QueryDefinition.functions`; functions are outside the plan, and outside the fingerprint. */
export interface FunctionRef {
  readonly function: string;
}

export interface Projection {
  readonly name: string;
  readonly value: Expression | FunctionRef;
  /** Declared for functions; resolved from the expression otherwise. */
  readonly type: DataType;
}

export interface WindowSpec {
  readonly kind: "tumbling" | "sliding";
  readonly column: string;
  readonly size: Micros;
  readonly slide: Micros;
  readonly offset: Micros;
  /** Then windows begin with days of a time zone, and `size` and `slide` are the longest that one can be, but for an hour. */
  readonly calendar?: CalendarPeriod;
  /** Output column. */
  readonly as: string;
}

export interface SessionSpec {
  readonly kind: "session";
  readonly column: string;
  /** Microseconds; null: the gap text does not parse, every row is ignored (SEMANTICS D2). Or cases tried in order, then `otherwise`; or a user function row → µs. */
  readonly gap:
    | Micros
    | null
    | {
        readonly cases: readonly { readonly when: Expression; readonly gap: Micros | null }[];
        readonly otherwise: Micros | null;
      }
    | FunctionRef;
  readonly as: string;
}

export interface AggregateSpec {
  readonly as: string;
  readonly fn: AggregateName;
  /** Absent for count of rows. */
  readonly value?: Expression;
  /** minBy, maxBy. */
  readonly by?: Expression;
  /** first, last. */
  readonly ignoreNulls?: true;
  /** approxPercentile { percentile, accuracy }, approxCountDistinct { precision }, user { function } … */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly type: DataType;
}

interface Node {
  /** What this node emits. Set by the node's factory (plan/nodes), never by hand. */
  readonly schema: Schema;
}

export interface SourceNode extends Node {
  readonly kind: "source";
  /** Unique in the query; the name of the source's offsets, watermark registers and CLI inputs. */
  readonly name: string;
  readonly descriptor: SourceConnector;
}

/** A fixed table: the static side of a stream–static join. Its rows are inline, or loaded once per cold start. */
export interface StaticNode extends Node {
  readonly kind: "static";
  readonly name: string;
  readonly descriptor: TableConnector;
}

export interface ProjectNode extends Node {
  readonly kind: "project";
  readonly input: LogicalNode;
  readonly columns: readonly Projection[];
}

export interface FilterNode extends Node {
  readonly kind: "filter";
  readonly input: LogicalNode;
  readonly predicate: Expression | FunctionRef;
}

/** map and flatMap; `eventTime` names the column that keeps the watermark. */
export interface MapNode extends Node {
  readonly kind: "map" | "flatMap";
  readonly input: LogicalNode;
  readonly function: string;
  readonly eventTime?: string;
}

export interface WatermarkNode extends Node {
  readonly kind: "withWatermark";
  readonly input: LogicalNode;
  readonly column: string;
  /** Whole milliseconds (SEMANTICS A5), and the text that it was read from. */
  readonly delayMs: number;
  readonly delay: string;
}

export interface AggregateNode extends Node {
  readonly kind: "aggregate";
  readonly input: LogicalNode;
  readonly operatorId: string;
  readonly window?: WindowSpec | SessionSpec;
  readonly keys: readonly Projection[];
  readonly aggregates: readonly AggregateSpec[];
}

export interface DeduplicateNode extends Node {
  readonly kind: "deduplicate";
  readonly input: LogicalNode;
  readonly operatorId: string;
  readonly keys: readonly string[];
  readonly withinWatermark: boolean;
}

export interface UnionNode extends Node {
  readonly kind: "union";
  /** Same columns by name and order; the factory inserts the projection. */
  readonly inputs: readonly [LogicalNode, LogicalNode];
}

export interface JoinNode extends Node {
  readonly kind: "join";
  readonly left: LogicalNode;
  readonly right: LogicalNode;
  readonly operatorId: string;
  readonly type: JoinType;
  /** Columns carry their `side`. */
  readonly on: Expression;
  /** `using` columns: one output column each, taken from the left (from the right in a right outer join, either in a full outer one). */
  readonly using?: readonly string[];
}

export interface LimitNode extends Node {
  readonly kind: "limit";
  readonly input: LogicalNode;
  readonly operatorId: string;
  readonly n: number;
}

export interface SortNode extends Node {
  readonly kind: "sort";
  readonly input: LogicalNode;
  readonly columns: readonly { readonly name: string; readonly descending: boolean }[];
}

/** transformWithState and flatMapGroupsWithState: user code over keyed state. */
export interface StatefulNode extends Node {
  readonly kind: "transformWithState" | "groupsWithState";
  readonly input: LogicalNode;
  readonly operatorId: string;
  readonly keys: readonly string[];
  /** The processor, in `QueryDefinition.functions`. */
  readonly function: string;
  readonly timeMode: "none" | "eventTime" | "processingTime";
  readonly outputMode: OutputMode;
  /** The column of the output rows that carries event time on, if any. */
  readonly eventTime?: string;
}

export type LogicalNode =
  | SourceNode
  | StaticNode
  | ProjectNode
  | FilterNode
  | MapNode
  | WatermarkNode
  | AggregateNode
  | DeduplicateNode
  | UnionNode
  | JoinNode
  | LimitNode
  | SortNode
  | StatefulNode;

/** The whole of a query: frozen, JSON-able but for `functions`. */
export interface QueryDefinition {
  readonly queryName: string;
  readonly outputMode: OutputMode;
  readonly watermarkPolicy: WatermarkPolicy;
  readonly lateRule: LateRule;
  readonly plan: LogicalNode;
  readonly sink: SinkConnector;
  /** Where results go to several sinks: all of them by name, `sink` first. */
  readonly sinks?: Readonly<Record<string, SinkConnector>>;
  readonly options: QueryOptions;
  /** User functions and stateful processors (objects of functions) by id. */
  readonly functions: Readonly<Record<string, unknown>>;
}

/** Everything that changes how a query runs and not what it answers. */
export interface QueryOptions {
  /** What a throwing user function does: stop at the record and report it, or send it to the malformed output. */
  readonly onError: "fail" | "malformed";
  /** false: as Spark with no-data micro-batches off. */
  readonly noDataMicroBatches: boolean;
  /** N: 1, or up to 1,024 with the query in two stages (docs/partitions.md). */
  readonly statePartitions: number;
  /** By which of the columns that all stateful operators have among their keys rows are spread; absent: by all of them. */
  readonly partitionBy?: readonly string[];
  readonly maxStateBytes?: number;
  /** Marshalled entry bytes above which delta and outbox go to S3; 8 KB by default. */
  readonly inlineLimitBytes?: number;
  readonly closeOnIdleMs?: number;
  /** How long a deployed query gathers records for a micro-batch; absent: as the deployment says. */
  readonly batchingWindowMs?: number;
  /** false: one late-row watermark for all operators, and a watermark may be redefined, as Spark did (SEMANTICS H6, A13). */
  readonly allowMultipleStatefulOperators?: boolean;
}
