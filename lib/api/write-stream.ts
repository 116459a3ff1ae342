import type { SinkConnector } from "../plan/connectors/sink-connector.js";
import { defineQuery } from "../plan/define-query.js";
import type { LateRule, LogicalNode, QueryOptions, WatermarkPolicy } from "../plan/logical-plan.js";
import { parseDelay } from "../time/duration.js";
import type { SinkDescriptor } from "./descriptors.js";
import { functionId } from "./function-ids.js";
import { makeQuery, type Query } from "./query.js";

/** How a query runs; nothing here changes what it answers. */
export interface RunOptions extends Partial<Omit<QueryOptions, "closeOnIdleMs">> {
  /** When every shard has been silent for so long, the watermark goes on with the clock, so that the last windows close. Off by default. */
  readonly closeOnIdle?: string;
}

/** What a query is called, and what goes where. */
export interface WriteStreamOptions<Mode> {
  /** Letters, digits, '.', '_' and '-'; it names the checkpoint and the output, so a new name is a new query. */
  readonly queryName: string;
  /**
   * `append`: each row once, when it is final. `update`: every row that changed in a micro-batch.
   * `complete`: the whole result in every micro-batch.
   */
  readonly outputMode: Mode;
  readonly sink: SinkDescriptor;
  /** With several watermarks: the lowest of them (the default), or the highest, which makes rows of the slower inputs late. */
  readonly watermarkPolicy?: WatermarkPolicy;
  /** `state` (the default, Spark's): late if the state that it would change is gone. `event-time`: late whenever older than the watermark. */
  readonly lateRule?: LateRule;
  readonly options?: RunOptions;
}

export function writeStream(
  plan: LogicalNode,
  functions: Readonly<Record<string, unknown>>,
  write: WriteStreamOptions<unknown>,
): Query {
  const { closeOnIdle, ...options } = write.options ?? {};
  const { connector, functions: ofSink } = connectorOf(write.sink);
  return makeQuery(
    defineQuery({
      queryName: write.queryName,
      outputMode: write.outputMode as "append",
      plan,
      sink: connector,
      functions: { ...functions, ...ofSink },
      ...(write.watermarkPolicy === undefined ? {} : { watermarkPolicy: write.watermarkPolicy }),
      ...(write.lateRule === undefined ? {} : { lateRule: write.lateRule }),
      options: { ...options, ...(closeOnIdle === undefined ? {} : { closeOnIdleMs: parseDelay(closeOnIdle) }) },
    }),
  );
}

/** Functions stand beside the plan, so the connector keeps the id of its handler. */
function connectorOf(sink: SinkDescriptor): {
  readonly connector: SinkConnector;
  readonly functions: Readonly<Record<string, unknown>>;
} {
  if (sink?.kind !== "foreachBatch") return { connector: sink, functions: {} };
  const handler = functionId("sink", sink.handler);
  return { connector: { ...sink, handler }, functions: { [handler]: sink.handler } };
}
