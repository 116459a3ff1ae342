import { userError } from "../errors.js";
import type { OutputMode, StatefulNode } from "../plan/logical-plan.js";
import { makeSchema } from "../plan/make-schema.js";
import { aggregateNode, statefulNode } from "../plan/nodes/nodes.js";
import type { Row } from "../plan/schema.js";
import { type Aggregate, type AggregateColumn, count, type NumericOver } from "./aggregates.js";
import type {
  JsonColumns,
  LongColumn,
  NameOf,
  RowOf,
  TimeNameOf,
  WindowableNameOf,
  WindowColumn,
} from "./column-type.js";
import type { ColumnsIn, DeclaredColumns } from "./columns.js";
import type { DataStream, StreamState, TimedColumns } from "./data-stream.js";
import type { ExprOver } from "./expr.js";
import { functionId } from "./function-ids.js";
import { type OperatorOptions, operatorIdOf } from "./operator-options.js";
import { selectionColumns } from "./select.js";
import { noAggregate } from "./spark-habits.js";
import type { GroupFunction, ProcessorFactory } from "./stateful.js";
import type { Aggregated, ColumnOf, KeepsTime, Simplify } from "./stream-type.js";
import type { WindowKey } from "./window-functions.js";

/** What groupBy takes: column names, one window, named expressions. */
export type GroupKey<S> =
  | NameOf<S>
  | WindowKey<WindowableNameOf<S>, string, NameOf<S>>
  | Readonly<Record<string, ExprOver<NameOf<S>>>>;

/** The columns that the keys give the result. */
export type GroupColumns<S, Keys extends readonly unknown[]> = Keys extends readonly [infer Key, ...infer Rest]
  ? Simplify<KeyColumns<S, Key> & GroupColumns<S, Rest>>
  : unknown;

type KeyColumns<S, Key> = Key extends keyof S
  ? { readonly [Name in Key]: S[Name] }
  : Key extends WindowKey<string, infer As, string>
    ? { readonly [Name in As]: WindowColumn }
    : { readonly [Name in keyof Key]: ColumnOf<S, Key[Name]> };

/** Names of the key columns that carry event time. */
export type GroupTime<T extends string, Keys extends readonly unknown[]> = Keys[number] extends infer Key
  ? Key extends string
    ? Key & T
    : Key extends WindowKey<infer Column, infer As, string>
      ? Column extends T
        ? As
        : never
      : { [Name in keyof Key]: KeepsTime<T, Key[Name]> extends true ? Name : never }[keyof Key] & string
  : never;

type AggregatesOver<S> = Readonly<
  Record<
    string,
    { readonly input: Aggregate["input"]; readonly functions: Aggregate["functions"]; readonly names?: NameOf<S> }
  >
>;

type AfterAggregation<Time extends string, A extends Aggregated> = [Time] extends [never]
  ? "untimed"
  : A extends "untimed"
    ? "untimed"
    : "timed";

/** How user code over keyed state runs. */
export interface StatefulOptions<Time> extends OperatorOptions {
  /** Which clock its timers and timeouts follow; none by default. */
  readonly timeMode?: StatefulNode["timeMode"];
  /** What its rows mean; must be the query's output mode. `append` by default. */
  readonly outputMode?: OutputMode;
  /** The column of its rows that carries event time on to later operators. */
  readonly eventTime?: Time;
}

interface TypedStatefulOptions<Time extends string, Schema> extends Omit<StatefulOptions<Time>, "eventTime"> {
  /** The columns of the rows it returns; they are json otherwise. */
  readonly columns: Schema;
  readonly eventTime?: Time & TimeNameOf<ColumnsIn<Schema>>;
}

type AnyStatefulOptions = StatefulOptions<string> & { readonly columns?: DeclaredColumns };

type ToStream = <S, T extends string, A extends Aggregated>(state: StreamState) => DataStream<S, T, A>;

/** Rows in groups: `S` are the input's columns, `G` those of the keys, `Time` the keys with event time, `T` the input's event times. */
export class GroupedStream<S, G, Time extends string, T extends string, A extends Aggregated> {
  readonly #state: StreamState;
  readonly #keys: readonly GroupKeyValue[];
  readonly #toStream: ToStream;
  declare readonly eventTime: T;

  /** The class of streams comes as an argument: it makes groups, and imports this file. */
  constructor(state: StreamState, keys: readonly unknown[], toStream: ToStream) {
    this.#state = state;
    this.#toStream = toStream;
    this.#keys = keys as never;
  }

  /**
   * One row per group: the window, the keys, the aggregates. In append mode a group is emitted when the watermark passes it,
   * in update mode whenever it changes, in complete mode always.
   *
   * @param options `id` names the operator's state; give one before you change keys
   * @example agg({ views: count(), dwell: sum("durationMs") })
   * @throws `unknown-column`, `type-mismatch`, `duplicate-column`, `multiple-windows`; at writeStream() `append-without-watermark`
   */
  agg<const Aggregates extends AggregatesOver<S>>(
    aggregates: Aggregates & { readonly [Name in keyof Aggregates]: NumericOver<Aggregates[Name], S> },
    options: OperatorOptions = {},
  ): DataStream<
    Simplify<G & { readonly [Name in keyof Aggregates]: AggregateColumn<Aggregates[Name], S> }>,
    Time,
    AfterAggregation<Time, A>
  > {
    const windows = this.#keys.filter(isWindowKey);
    if (windows.length > 1) {
      throw userError(
        "multiple-windows",
        "Several windows in one grouping would multiply the rows.",
        "Keep one window, and put the other in an aggregation of its own.",
      );
    }
    const named = Object.entries(aggregates);
    for (const [name, aggregate] of named) if (typeof aggregate?.input !== "object") throw noAggregate(name, aggregate);
    const plan = aggregateNode(this.#state.plan, {
      ...(windows[0] === undefined ? {} : { window: windows[0].spec }),
      keys: selectionColumns(this.#keys.filter(isNoWindow)),
      aggregates: named.map(([as, { input }]) => ({ as, ...input })),
      ...operatorIdOf(options),
    });
    const functions = Object.assign(
      {},
      this.#state.functions,
      ...windows.map((window) => window.functions),
      ...named.map(([, aggregate]) => aggregate.functions),
    );
    return this.#toStream({ plan, functions });
  }

  /** Rows per group, as `count`: Spark's short form of `agg({ count: count() })`. */
  count(): DataStream<Simplify<G & { readonly count: LongColumn }>, Time, AfterAggregation<Time, A>> {
    return this.agg({ count: count() } as never) as never;
  }

  /**
   * Your own state per key, with value, list and map variables, timers and time to live (Spark's transformWithState, SEMANTICS J4).
   * `processor` is called once per cold start; one call per key and micro-batch gets all of its rows.
   *
   * @example groupBy("userId").transformWithState(() => new SessionProcessor(), { timeMode: "eventTime" })
   * @throws `stateful-keys` unless grouped by plain columns; at writeStream() `stateful-output-mode`
   */
  transformWithState<Out extends Row, Initial, const OutTime extends string = never>(
    processor: ProcessorFactory<RowOf<G>, RowOf<S>, Out, Initial>,
    options?: StatefulOptions<OutTime & keyof Out>,
  ): DataStream<TimedColumns<JsonColumns<Out>, OutTime>, OutTime, A>;
  transformWithState<Initial, Schema extends DeclaredColumns, const OutTime extends string = never>(
    processor: ProcessorFactory<RowOf<G>, RowOf<S>, RowOf<ColumnsIn<NoInfer<Schema>>>, Initial>,
    options: TypedStatefulOptions<OutTime, Schema>,
  ): DataStream<ColumnsIn<Schema>, OutTime, A>;
  transformWithState(processor: ProcessorFactory<never, never, Row, never>, options: AnyStatefulOptions = {}): never {
    return this.#stateful("transformWithState", processor, options);
  }

  /**
   * Your own state per key as one value with an optional timeout (Spark's flatMapGroupsWithState, SEMANTICS J1).
   * @example groupBy("userId").flatMapGroupsWithState(countVisits, { outputMode: "update" })
   * @throws `stateful-keys` unless grouped by plain columns; at writeStream() `stateful-output-mode`, `timeout-without-watermark`
   */
  flatMapGroupsWithState<State, Out extends Row, const OutTime extends string = never>(
    update: GroupFunction<RowOf<G>, RowOf<S>, Out, State>,
    options?: StatefulOptions<OutTime & keyof Out>,
  ): DataStream<TimedColumns<JsonColumns<Out>, OutTime>, OutTime, A>;
  flatMapGroupsWithState<State, Schema extends DeclaredColumns, const OutTime extends string = never>(
    update: GroupFunction<RowOf<G>, RowOf<S>, RowOf<ColumnsIn<NoInfer<Schema>>>, State>,
    options: TypedStatefulOptions<OutTime, Schema>,
  ): DataStream<ColumnsIn<Schema>, OutTime, A>;
  flatMapGroupsWithState(update: GroupFunction<never, never, Row, never>, options: AnyStatefulOptions = {}): never {
    return this.#stateful("groupsWithState", update, options);
  }

  #stateful(kind: StatefulNode["kind"], userFunction: object, options: AnyStatefulOptions): never {
    const keys = this.#keys.filter((key) => typeof key === "string");
    if (keys.length !== this.#keys.length || keys.length === 0) {
      throw userError(
        "stateful-keys",
        "User-defined state is kept by plain columns.",
        "Compute the key with withColumn() and group by its name alone.",
      );
    }
    const id = functionId(kind, userFunction);
    const plan = statefulNode(this.#state.plan, {
      kind,
      keys,
      function: id,
      timeMode: options.timeMode ?? "none",
      outputMode: options.outputMode ?? "append",
      schema: options.columns?.schema ?? makeSchema([], true),
      ...(options.eventTime === undefined ? {} : { eventTime: options.eventTime }),
      ...operatorIdOf(options),
    });
    return this.#toStream({ plan, functions: { ...this.#state.functions, [id]: userFunction } }) as never;
  }
}

const isWindowKey = (key: unknown): key is WindowKey => typeof key === "object" && key !== null && "spec" in key;

const isNoWindow = (key: GroupKeyValue): key is Exclude<GroupKeyValue, WindowKey> => !isWindowKey(key);

type GroupKeyValue = string | WindowKey | Readonly<Record<string, ExprOver<string>>>;
