import type { FunctionRef, JoinType, LogicalNode } from "../plan/logical-plan.js";
import { makeSchema } from "../plan/make-schema.js";
import {
  deduplicateNode,
  filterNode,
  joinNode,
  limitNode,
  mapNode,
  type ProjectionInput,
  projectNode,
  sortNode,
  unionNode,
  watermarkNode,
} from "../plan/nodes/nodes.js";
import { requireClosed } from "../plan/require-closed.js";
import type { EventTime } from "../time/event-time.js";
import type {
  ColumnDeclaration,
  ColumnType,
  JsonColumn,
  JsonColumns,
  NameOf,
  RowOf,
  TimeNameOf,
  ValueOf,
} from "./column-type.js";
import type { ColumnsIn, DeclaredColumns } from "./columns.js";
import { Expr, type ExprOver, toExpression } from "./expr.js";
import type { TypeOf } from "./expr-type.js";
import { functionId } from "./function-ids.js";
import { type GroupColumns, GroupedStream, type GroupKey, type GroupTime } from "./grouped-stream.js";
import { type Joined, type JoinOptions, joinCondition } from "./join-options.js";
import { type OperatorOptions, operatorIdOf } from "./operator-options.js";
import type { Query } from "./query.js";
import { columnRef, selectionColumns } from "./select.js";
import { sqlText } from "./spark-habits.js";
import type {
  Aggregated,
  Both,
  KeepsTime,
  ModeOf,
  Renamed,
  RenamedTime,
  Selected,
  SelectedTime,
  SelectItem,
  Simplify,
} from "./stream-type.js";
import type { StreamTypeError } from "./type-errors.js";
import { type WriteStreamOptions, writeStream } from "./write-stream.js";

/** A plan under construction, and the user functions that it refers to. */
export interface StreamState {
  readonly plan: LogicalNode;
  readonly functions: Readonly<Record<string, unknown>>;
}

type Clash<S, R, Type, Using extends string> = [Type] extends ["leftSemi" | "leftAnti"]
  ? never
  : Exclude<NameOf<S> & NameOf<R>, Using>;

/**
 * A stream of rows, and what has been asked of them so far. Immutable: every verb returns a new stream, none does I/O.
 * A verb that cannot be honoured throws when it is called; what depends on the whole query, when writeStream() is called.
 *
 * `S` are its columns, `T` the names of those that carry event time, `A` whether it has been aggregated.
 */
// Invariant, as said: inferring it from the verbs sends the compiler round in circles.
export class DataStream<in out S, in out T extends string, in out A extends Aggregated> {
  readonly #state: StreamState;
  /** Only for the compiler: never set. */
  declare readonly columns: S;
  declare readonly eventTime: T;
  declare readonly aggregated: A;

  constructor(state: StreamState) {
    this.#state = Object.freeze({ plan: state.plan, functions: Object.freeze(state.functions) });
  }

  /** The plan so far, for tools and tests. */
  get plan(): LogicalNode {
    return this.#state.plan;
  }

  /** The user functions of the plan so far, by id. */
  get functions(): Readonly<Record<string, unknown>> {
    return this.#state.functions;
  }

  /**
   * The columns that go on, in this order. A plain column keeps its event time, under a new name too; a computed one has none.
   * @example select("page", { seconds: col("durationMs").dividedBy(1000), at: "eventTime" })
   * @throws `unknown-column`, `duplicate-column`, `type-mismatch`, `multiple-windows`
   */
  select<const Items extends readonly SelectItem<S>[]>(
    ...items: Items
  ): DataStream<Selected<S, Items>, SelectedTime<T, Items>, A> {
    return this.#over(projectNode(this.plan, selectionColumns(items)));
  }

  /**
   * Rows for which the condition is true. An expression sinks below the watermark where it may, so that rows which it removes
   * do not advance it; a function stays where it is written (SEMANTICS A11, 0.12).
   * @example filter(col("durationMs").gt(1000))
   * @example filter((row) => row.page !== null)
   * @throws `unknown-column`, `type-mismatch`, `not-a-condition`
   */
  filter(condition: ExprOver<NameOf<S>> | ((row: RowOf<S>) => boolean | null)): DataStream<S, T, A> {
    if (typeof condition === "string") throw sqlText("filter", condition);
    if (condition instanceof Expr) return this.#over(filterNode(this.plan, toExpression(condition)));
    return this.#withFunction("filter", condition, (ref) => filterNode(this.plan, ref));
  }

  /**
   * One column more, or another value for one that is there; overwriting the event time ends its watermark.
   * A function gives a json column, unless `as` declares it.
   * @example withColumn("seconds", col("durationMs").dividedBy(1000))
   * @example withColumn("host", (row) => new URL(row.page ?? "").host, string())
   * @throws `unknown-column`, `type-mismatch`
   */
  withColumn<const Name extends string, E extends ExprOver<NameOf<S>>>(
    name: Name,
    value: E,
  ): DataStream<
    Simplify<Omit<S, Name> & { readonly [N in Name]: E extends Expr<infer Tree, string> ? TypeOf<Tree, S> : never }>,
    Exclude<T, Name> | (KeepsTime<T, E> extends true ? Name : never),
    A
  >;
  withColumn<const Name extends string, C extends ColumnType>(
    name: Name,
    value: (row: RowOf<S>) => C["value"],
    as: ColumnDeclaration<C>,
  ): DataStream<Simplify<Omit<S, Name> & { readonly [N in Name]: C }>, Exclude<T, Name>, A>;
  withColumn<const Name extends string, V>(
    name: Name,
    value: (row: RowOf<S>) => V,
  ): DataStream<Simplify<Omit<S, Name> & { readonly [N in Name]: JsonColumn<V> }>, Exclude<T, Name>, A>;
  withColumn(name: string, value: ExprOver<string> | ((row: never) => unknown), as?: ColumnDeclaration): never {
    requireClosed(this.plan.schema, "withColumn()");
    const put = (column: ProjectionInput) => {
      const { fields } = this.plan.schema;
      const others = fields.map((field) => (field.name === name ? column : columnRef(field.name)));
      return projectNode(this.plan, fields.some((field) => field.name === name) ? others : [...others, column]);
    };
    if (value instanceof Expr) return this.#over(put({ name, value: toExpression(value) }));
    return this.#withFunction("withColumn", value, (ref) => put({ name, value: ref, type: as?.type ?? "json" }));
  }

  /** Columns under other names; event time goes with its column. @example rename({ ts: "eventTime" }) @throws `unknown-column`, `duplicate-column` */
  rename<const R extends { readonly [Name in NameOf<S>]?: string }>(
    names: R & Readonly<Record<Exclude<keyof R, NameOf<S>>, never>>,
  ): DataStream<Renamed<S, { [N in keyof R]: R[N] & string }>, RenamedTime<T, { [N in keyof R]: R[N] & string }>, A> {
    requireClosed(this.plan.schema, "rename()");
    const to = new Map(Object.entries(names as Record<string, string>));
    for (const name of to.keys()) columnRef(name, this.plan.schema);
    const fields = this.plan.schema.fields;
    return this.#over(
      projectNode(
        this.plan,
        fields.map(({ name }) => ({ ...columnRef(name), name: to.get(name) ?? name })),
      ),
    );
  }

  /** All columns but these; the event time goes with its column. @example drop("referrer") @throws `unknown-column` */
  drop<const Name extends NameOf<S>>(...names: readonly Name[]): DataStream<Omit<S, Name>, Exclude<T, Name>, A> {
    requireClosed(this.plan.schema, "drop()");
    for (const name of names) columnRef(name, this.plan.schema);
    const kept = this.plan.schema.fields.filter(({ name }) => !(names as readonly string[]).includes(name));
    return this.#over(
      projectNode(
        this.plan,
        kept.map(({ name }) => columnRef(name)),
      ),
    );
  }

  /**
   * Each row through a function. The watermark ends here, unless `eventTime` names the column of the result that carries it on.
   * Give `columns` where later verbs need types; otherwise they are json.
   * @example map((row) => ({ at: row.eventTime, host: hostOf(row.page) }), { eventTime: "at" })
   */
  map<Out extends object, const Time extends string = never>(
    toRow: (row: RowOf<S>) => Out,
    options?: MapOptions<Time & keyof Out>,
  ): DataStream<TimedColumns<JsonColumns<Out>, Time>, Time, A>;
  map<Schema extends DeclaredColumns, const Time extends string = never>(
    toRow: (row: RowOf<S>) => RowOf<ColumnsIn<NoInfer<Schema>>>,
    options: TypedMapOptions<Time, Schema>,
  ): DataStream<ColumnsIn<Schema>, Time, A>;
  map(
    toRow: (row: never) => unknown,
    options: MapOptions<string> & { readonly columns?: DeclaredColumns } = {},
  ): never {
    return this.#mapped("map", toRow, options);
  }

  /** Each row to any number of rows. @example flatMap((row) => row.tags.map((tag) => ({ tag, at: row.eventTime })), { eventTime: "at" }) */
  flatMap<Out extends object, const Time extends string = never>(
    toRows: (row: RowOf<S>) => Iterable<Out>,
    options?: MapOptions<Time & keyof Out>,
  ): DataStream<TimedColumns<JsonColumns<Out>, Time>, Time, A>;
  flatMap<Schema extends DeclaredColumns, const Time extends string = never>(
    toRows: (row: RowOf<S>) => Iterable<RowOf<ColumnsIn<NoInfer<Schema>>>>,
    options: TypedMapOptions<Time, Schema>,
  ): DataStream<ColumnsIn<Schema>, Time, A>;
  flatMap(
    toRows: (row: never) => unknown,
    options: MapOptions<string> & { readonly columns?: DeclaredColumns } = {},
  ): never {
    return this.#mapped("flatMap", toRows, options);
  }

  /**
   * Declares the event time and how late a row may be: the watermark is the highest event time seen, less the delay threshold,
   * and takes effect one micro-batch later (SEMANTICS A1).
   *
   * @param column a timestamp, or a json column of ISO 8601 text, Date or epoch milliseconds; from here on it is `EventTime`
   * @param delayThreshold an interval: "10 minutes", "1h", "PT10M"
   * @throws `event-time-type`, `invalid-interval`, `negative-delay`, and at writeStream() `watermark-redefined`
   */
  withWatermark<const Name extends TimeNameOf<S>>(
    column: Name,
    delayThreshold: string,
  ): DataStream<TimedColumns<S, Name>, Name, A> {
    return this.#over(watermarkNode(this.plan, column, delayThreshold));
  }

  /**
   * Groups, to be aggregated or to keep state for: by columns, by one window, by named expressions.
   * @example groupBy(window("eventTime", "5 minutes"), "page").agg({ views: count() })
   */
  groupBy<const Keys extends readonly GroupKey<S>[]>(
    ...keys: Keys
  ): GroupedStream<S, GroupColumns<S, Keys>, GroupTime<T, Keys>, T, A> {
    return new GroupedStream(this.#state, keys, (state) => new DataStream(state));
  }

  /**
   * The first row of each key by arrival. Keys are kept until the watermark passes the event time, if that is among them; otherwise for ever.
   * @param keys all columns by default
   * @example dropDuplicates(["eventId", "eventTime"])
   * @throws `unknown-column`
   */
  dropDuplicates(keys: readonly NameOf<S>[] = [], options: OperatorOptions = {}): DataStream<S, T, A> {
    return this.#over(deduplicateNode(this.plan, { keys, ...operatorIdOf(options) }));
  }

  /** Distinct rows: dropDuplicates of all columns. @example select("userId").distinct() */
  distinct(options: OperatorOptions = {}): DataStream<S, T, A> {
    return this.dropDuplicates([], options);
  }

  /**
   * The first row of each key by arrival; a key is kept for the delay threshold after that row's event time (SEMANTICS E2).
   * @param keys all columns by default
   * @example dropDuplicatesWithinWatermark(["eventId"])
   * @throws `unknown-column`, at writeStream() `dedup-without-watermark`
   */
  dropDuplicatesWithinWatermark(
    this: [T] extends [never]
      ? StreamTypeError<"dropDuplicatesWithinWatermark() needs withWatermark() before it">
      : DataStream<S, T, A>,
    keys: readonly NameOf<S>[] = [],
    options: OperatorOptions = {},
  ): DataStream<S, T, A> {
    const stream = this as unknown as DataStream<S, T, A>;
    return stream.#over(deduplicateNode(stream.plan, { keys, withinWatermark: true, ...operatorIdOf(options) }));
  }

  /**
   * The rows of both, columns matched by name. The result has the event time of this stream (SEMANTICS B3).
   * @example webViews.union(appViews)
   * @throws `union-columns-differ`
   */
  union<T2 extends string, B extends Aggregated>(other: DataStream<S, T2, B>): DataStream<S, T, Both<A, B>> {
    return this.#with(other, unionNode(this.plan, other.plan));
  }

  /**
   * Pairs of rows for which the condition holds. Between two streams each side's rows wait for partners until the watermark shows
   * that none can come: call withWatermark() on both and bound the times with `within`, or they wait for ever.
   * Columns of one name, apart from `using`, must be renamed first.
   *
   * @example
   * impressions.join(clicks, {
   *   type: "leftOuter",
   *   on: (impression, click) => impression.adId.eq(click.clickedAdId),
   *   within: { from: "0 seconds", to: "1 hour" },
   * })
   * @throws `duplicate-column`, `join-condition-missing`, `unknown-column`, and at writeStream() the join refusals of docs/refusals.md
   */
  join<
    R,
    T2 extends string,
    B extends Aggregated,
    const Type extends JoinType = "inner",
    const Using extends string = never,
  >(
    right: DataStream<R, T2, B> &
      ([Clash<S, R, Type, Using>] extends [never]
        ? unknown
        : StreamTypeError<`both sides have a column '${Clash<S, R, Type, Using>}': rename() one or join using it`>),
    options: JoinOptions<S, R, Type, Using>,
  ): DataStream<Joined<S, R, Type, Using>, T | ([Type] extends ["leftSemi" | "leftAnti"] ? never : T2), Both<A, B>> {
    const { type = "inner", using, on, within, id } = options;
    const condition = joinCondition(this.plan, right.plan, on, within);
    const node = joinNode(this.plan, right.plan, {
      type,
      ...(condition === undefined ? {} : { on: condition }),
      ...(using === undefined ? {} : { using }),
      ...operatorIdOf({ id }),
    });
    return this.#with(right, node);
  }

  /** Sorts the result of an aggregation in complete mode. @example orderBy({ column: "views", descending: true }) @throws `unknown-column`, at writeStream() `sort-unsupported` */
  orderBy(
    ...columns: readonly (NameOf<S> | { readonly column: NameOf<S>; readonly descending?: boolean })[]
  ): DataStream<S, T, A> {
    const specs = columns.map((column) =>
      typeof column === "string"
        ? { name: column, descending: false }
        : { name: column.column, descending: column.descending ?? false },
    );
    return this.#over(sortNode(this.plan, specs));
  }

  /** In append mode the first `n` rows of the whole stream; in complete mode, of each result. @example limit(100) @throws `limit-negative`, at writeStream() `limit-output-mode` */
  limit(n: number, options: OperatorOptions = {}): DataStream<S, T, A> {
    return this.#over(limitNode(this.plan, n, options.id));
  }

  /**
   * Ends the stream in a sink: the query, checked as a whole and ready to be run or deployed. Nothing runs yet.
   * @example writeStream({ queryName: "page-views-5min", outputMode: "append", sink: s3({ prefix: "page-views/" }) })
   * @throws `query-name`, and every refusal of docs/refusals.md, with its reason and remedy
   */
  writeStream(options: WriteStreamOptions<ModeOf<A>>): Query {
    return writeStream(this.plan, this.#state.functions, options);
  }

  #over(plan: LogicalNode): never {
    return new DataStream({ plan, functions: this.#state.functions }) as never;
  }

  #with(other: { readonly functions: StreamState["functions"] }, plan: LogicalNode): never {
    return new DataStream({ plan, functions: { ...this.#state.functions, ...other.functions } }) as never;
  }

  #withFunction(verb: string, userFunction: object, toPlan: (ref: FunctionRef) => LogicalNode): never {
    const id = functionId(verb, userFunction);
    const functions = { ...this.#state.functions, [id]: userFunction };
    return new DataStream({ plan: toPlan({ function: id }), functions }) as never;
  }

  #mapped(
    kind: "map" | "flatMap",
    userFunction: (row: never) => unknown,
    { columns, eventTime }: MapOptions<string> & { readonly columns?: DeclaredColumns },
  ): never {
    return this.#withFunction(kind, userFunction, (ref) =>
      mapNode(this.plan, {
        kind,
        function: ref.function,
        schema: columns?.schema ?? makeSchema([], true),
        ...(eventTime === undefined ? {} : { eventTime }),
      }),
    );
  }
}

/** Options of `map` and `flatMap`. */
export interface MapOptions<Time> {
  /** The column of the result that carries event time on. */
  readonly eventTime?: Time;
}

interface TypedMapOptions<Time extends string, Schema> {
  /** The columns of the result, as `columns()` declares them. */
  readonly columns: Schema;
  /** The column of the result that carries event time on. */
  readonly eventTime?: Time & TimeNameOf<ColumnsIn<Schema>>;
}

/** The columns with one cast to event time in place. */
export type TimedColumns<S, Name extends string> = {
  readonly [N in keyof S]: N extends Name ? ColumnType<"timestamp", EventTime | (null & ValueOf<S[N]>)> : S[N];
};
