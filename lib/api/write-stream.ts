import { userError } from "../errors.js";
import type { SinkConnector } from "../plan/connectors/sink-connector.js";
import { defineQuery } from "../plan/define-query.js";
import { requireKnown } from "../plan/known-options.js";
import type { LateRule, LogicalNode, QueryOptions, WatermarkPolicy } from "../plan/logical-plan.js";
import { parseDelay } from "../time/duration.js";
import type { SinkDescriptor } from "./descriptors.js";
import { functionId } from "./function-ids.js";
import { makeQuery, type Query } from "./query.js";
import { batchingWindowMs, type Trigger } from "./trigger.js";

/** How a query runs; nothing here changes what it answers. */
export interface RunOptions extends Partial<Omit<QueryOptions, "closeOnIdleMs" | "batchingWindowMs">> {
  /** When every shard has been silent for so long, the watermark goes on with the clock, so that the last windows close. Off by default. */
  readonly closeOnIdle?: string;
}

/** What a query is called, and what goes where: to one `sink`, or to several `sinks`. */
export type WriteStreamOptions<Mode> = QuerySettings<Mode> & (OneSink | SeveralSinks);

interface OneSink {
  readonly sink: SinkDescriptor;
  readonly sinks?: never;
}

interface SeveralSinks {
  /**
   * Every sink gets all results, in one commit and under one identity. Names are yours: letters, digits, '-' and '_'. Late and malformed
   * rows go once, where those of the first sink would.
   */
  readonly sinks: Readonly<Record<string, SinkDescriptor>>;
  readonly sink?: never;
}

interface QuerySettings<Mode> {
  /** Letters, digits, '.', '_' and '-'; it names the checkpoint and the output, so a new name is a new query. */
  readonly queryName: string;
  /**
   * `append`: each row once, when it is final. `update`: every row that changed in a micro-batch.
   * `complete`: the whole result in every micro-batch.
   */
  readonly outputMode: Mode;
  /** With several watermarks: the lowest of them (the default), or the highest, which makes rows of the slower inputs late. */
  readonly watermarkPolicy?: WatermarkPolicy;
  /** `state` (the default, Spark's): late if the state that it would change is gone. `event-time`: late whenever older than the watermark. */
  readonly lateRule?: LateRule;
  /** How often a deployed query runs a micro-batch; a deployment's own `batchingWindow` stands above it. */
  readonly trigger?: Trigger;
  readonly options?: RunOptions;
}

const KNOWN = {
  queryName: true,
  outputMode: true,
  sink: true,
  sinks: true,
  watermarkPolicy: true,
  lateRule: true,
  trigger: true,
  options: true,
} satisfies Record<keyof WriteStreamOptions<unknown>, true>;

const KNOWN_OF_RUN = {
  onError: true,
  closeOnIdle: true,
  noDataMicroBatches: true,
  statePartitions: true,
  partitionBy: true,
  maxStateBytes: true,
  inlineLimitBytes: true,
  allowMultipleStatefulOperators: true,
} satisfies Record<keyof RunOptions, true>;

export function writeStream(
  plan: LogicalNode,
  functions: Readonly<Record<string, unknown>>,
  write: WriteStreamOptions<unknown>,
): Query {
  requireKnown("writeStream()", write, KNOWN);
  requireKnown("writeStream({ options })", write.options ?? {}, KNOWN_OF_RUN);
  const { closeOnIdle, ...options } = write.options ?? {};
  const sinks = Object.entries(write.sinks ?? { sink: write.sink }).map(([name, sink]) => ({
    name,
    ...connectorOf(sink),
  }));
  if (write.sinks !== undefined) checkNames(write.sink, sinks);
  return makeQuery(
    defineQuery({
      queryName: write.queryName,
      outputMode: write.outputMode as "append",
      plan,
      sink: sinks[0]!.connector,
      ...(sinks.length < 2 ? {} : { sinks: Object.fromEntries(sinks.map(({ name, connector }) => [name, connector])) }),
      functions: Object.assign({}, functions, ...sinks.map((sink) => sink.functions)),
      ...(write.watermarkPolicy === undefined ? {} : { watermarkPolicy: write.watermarkPolicy }),
      ...(write.lateRule === undefined ? {} : { lateRule: write.lateRule }),
      options: {
        ...options,
        ...(closeOnIdle === undefined ? {} : { closeOnIdleMs: parseDelay(closeOnIdle) }),
        ...(write.trigger === undefined ? {} : { batchingWindowMs: batchingWindowMs(write.trigger) }),
      },
    }),
  );
}

/** In every staged part, and in the construct's ids; a name that is a number would change its place. */
const SINK_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

function checkNames(sink: unknown, sinks: readonly { readonly name: string }[]): void {
  const unfit = sinks.find(({ name }) => !SINK_NAME.test(name))?.name;
  if (sink === undefined && sinks.length > 0 && unfit === undefined) return;
  throw userError(
    "option-invalid",
    unfit === undefined
      ? "The option sinks has no sink, or stands beside sink."
      : `'${unfit}' cannot be a sink's name.`,
    "Write sinks: { raw: s3(), live: dynamodb({ … }) }, and no sink beside it; names begin with a letter.",
  );
}

/** Functions stand beside the plan, so the connector keeps the id of its handler. */
function connectorOf(sink: SinkDescriptor | undefined): {
  readonly connector: SinkConnector;
  readonly functions: Readonly<Record<string, unknown>>;
} {
  if (sink?.kind !== "foreachBatch") return { connector: sink!, functions: {} };
  const handler = functionId("sink", sink.handler);
  return { connector: { ...sink, handler }, functions: { [handler]: sink.handler } };
}
