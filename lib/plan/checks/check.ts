import type { TidemarkError } from "../../errors.js";
import type { SinkConnector } from "../connectors/sink-connector.js";
import type { LogicalNode, OutputMode, QueryOptions } from "../logical-plan.js";

/** What a check sees: the node it judges and the query around it. */
export interface CheckContext {
  readonly outputMode: OutputMode;
  /** All of them. */
  readonly sinks: readonly SinkConnector[];
  readonly plan: LogicalNode;
  /** False: Spark's behaviour before several stateful operators were allowed (SEMANTICS H6, A13). */
  readonly allowMultipleStatefulOperators: NonNullable<QueryOptions["allowMultipleStatefulOperators"]>;
  readonly statePartitions: QueryOptions["statePartitions"];
  readonly partitionBy?: QueryOptions["partitionBy"];
}

/** Refuses by returning the error, so that every refusal of a query can be shown at once. */
export type Check = (node: LogicalNode, context: CheckContext) => TidemarkError | undefined;
