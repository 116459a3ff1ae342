import { randomUUID } from "node:crypto";
import type { Clock } from "../runtime/clock.js";

export interface FunctionSettings {
  /** `local` by default. */
  readonly functionName?: string;
  /** One minute by default. */
  readonly timeoutMs?: number;
  /** 512 by default. */
  readonly memoryMb?: number;
}

/** The fields of a context that travel to another process; the rest is made there. */
export interface ContextFields {
  readonly awsRequestId: string;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  readonly memoryLimitInMB: string;
  readonly logGroupName: string;
  readonly logStreamName: string;
}

/** Lambda's context object for Node, without its callbacks of old. */
export interface LambdaContext extends ContextFields {
  callbackWaitsForEmptyEventLoop: boolean;
  getRemainingTimeInMillis(): number;
}

export const timeoutOf = ({ timeoutMs = 60_000 }: FunctionSettings): number => timeoutMs;

export function contextFields({ functionName = "local", memoryMb = 512 }: FunctionSettings): ContextFields {
  return {
    awsRequestId: randomUUID(),
    functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: String(memoryMb),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: "local",
  };
}

/** `deadline`: epoch ms. */
export function lambdaContext(fields: ContextFields, deadline: number, clock: Clock): LambdaContext {
  return {
    ...fields,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - clock.now()),
  };
}
