import { Duration } from "aws-cdk-lib";
import * as events from "aws-cdk-lib/aws-events";
import * as targets from "aws-cdk-lib/aws-events-targets";
import type * as kinesis from "aws-cdk-lib/aws-kinesis";
import { Construct } from "constructs";
import { ENVIRONMENT } from "../lib/lambda/environment.js";
import { heartbeatStatement } from "./grants.js";
import { ownEntry } from "./own-entry.js";
import { QueryFunction } from "./query-function.js";

export interface HeartbeatProps {
  readonly streams: readonly kinesis.IStream[];
  readonly rate: Duration;
}

/** One record per shard and beat: the watermark goes on though nobody sends. */
export class Heartbeat extends Construct {
  constructor(scope: Construct, id: string, { streams, rate }: HeartbeatProps) {
    super(scope, id);
    const { lambdaFunction } = new QueryFunction(this, "Function", {
      entry: ownEntry("heartbeat"),
      description: "Puts a heartbeat record into every shard",
      memorySize: 256,
      timeout: Duration.seconds(30),
      tracing: false,
      logRetentionDays: 30,
      retain: false,
      environment: { [ENVIRONMENT.heartbeatStreams]: streams.map((stream) => stream.streamName).join(",") },
    });
    for (const stream of streams) lambdaFunction.addToRolePolicy(heartbeatStatement(stream));
    new events.Rule(this, "Schedule", {
      schedule: events.Schedule.rate(rate),
      targets: [new targets.LambdaFunction(lambdaFunction, { retryAttempts: 0 })],
    });
  }
}
