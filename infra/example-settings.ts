import { type App, Duration } from "aws-cdk-lib";
import type { StreamingQueryProps } from "./streaming-query.js";

export interface ExampleSettings {
  readonly query: Partial<Omit<StreamingQueryProps, "query" | "entry">>;
}

/**
 * Context of the example app:
 * `-c retain=false` lets `cdk destroy` remove the data as well (default: kept);
 * `-c shards=N` provisions N shards per stream (default: on demand);
 * `-c batchingWindow=S` gathers batches for S seconds (default: 10);
 * `-c alarmsOnExpressions=false` leaves out alarms on metric math, which some local servers refuse.
 */
export function exampleSettings(app: App): ExampleSettings {
  const context = (name: string): string | undefined => app.node.tryGetContext(name) as string | undefined;
  const shards = context("shards");
  const batchingWindow = context("batchingWindow");
  return {
    query: {
      retain: context("retain") !== "false",
      alarmsOnExpressions: context("alarmsOnExpressions") !== "false",
      ...(shards === undefined ? {} : { shardCount: Number(shards) }),
      ...(batchingWindow === undefined ? {} : { batchingWindow: Duration.seconds(Number(batchingWindow)) }),
    },
  };
}
