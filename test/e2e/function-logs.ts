import type { QueryProgress } from "../../lib/runtime/progress.js";
import { awsCall } from "./aws-call.js";

export interface FunctionLogs {
  /** Progress records in the order of their batches, each once. */
  readonly progress: readonly QueryProgress[];
  /** Lines of embedded metric format. */
  readonly metrics: readonly Readonly<Record<string, unknown>>[];
  /** Lines of level ERROR. */
  readonly errors: readonly string[];
}

interface Page {
  readonly events?: readonly { readonly message: string }[];
  readonly nextToken?: string;
}

/** Everything in a function's log group, sorted by kind. */
export async function functionLogs(logGroupName: string): Promise<FunctionLogs> {
  const lines: Record<string, unknown>[] = [];
  for (let token: string | undefined, first = true; first || token !== undefined; first = false) {
    const page: Page = await awsCall<Page>({
      service: "logs",
      headers: { "content-type": "application/x-amz-json-1.1", "x-amz-target": "Logs_20140328.FilterLogEvents" },
      body: { logGroupName, ...(token === undefined ? {} : { nextToken: token }) },
    });
    for (const { message } of page.events ?? []) {
      const line = jsonOf(message);
      if (line !== undefined) lines.push(line);
    }
    token = page.nextToken === token ? undefined : page.nextToken;
  }
  const progress = new Map<number, QueryProgress>();
  for (const line of lines)
    if (line["message"] === "progress") {
      const record = line["progress"] as QueryProgress;
      progress.set(record.batchId, record);
    }
  return {
    progress: [...progress.values()].sort((a, b) => a.batchId - b.batchId),
    metrics: lines.filter((line) => line["_aws"] !== undefined),
    errors: lines.filter((line) => line["level"] === "ERROR").map((line) => JSON.stringify(line)),
  };
}

function jsonOf(message: string): Record<string, unknown> | undefined {
  const start = message.indexOf("{");
  if (start < 0) return undefined;
  try {
    return JSON.parse(message.slice(start)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The sum of one metric over all lines of a query. */
export const metricSum = ({ metrics }: FunctionLogs, name: string): number =>
  metrics.reduce((sum, line) => sum + (typeof line[name] === "number" ? line[name] : 0), 0);
