import { setTimeout as wait } from "node:timers/promises";
import { PutRecordsCommand } from "@aws-sdk/client-kinesis";
import { type OutputReader, type OutputRow, outputReader } from "../../demo/outputs.js";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { awsCall } from "./aws-call.js";
import type { DeployedQuery, Deployment } from "./deployment.js";
import { type FunctionLogs, functionLogs } from "./function-logs.js";

export type Side = "" | ".late" | ".malformed";

/** One deployed query from outside: put records, invoke the alias, read what it wrote. */
export interface QueryProbe {
  readonly query: DeployedQuery;
  put(stream: string, partitionKey: string, payloads: readonly string[]): Promise<void>;
  command(command: "tick" | "drain"): Promise<void>;
  logs(): Promise<FunctionLogs>;
  /** Every row that lies in the bucket now. */
  rows(side: Side): Promise<readonly OutputRow[]>;
  /** Until the log accounts for so many records: decoded ones and malformed ones. */
  consumed(records: number): Promise<FunctionLogs>;
}

const PATIENCE_MS = 120_000;

export function queryProbe({ kinesis, s3 }: Deployment, query: DeployedQuery, prefix: string): QueryProbe {
  const read = (): OutputReader => outputReader(s3ObjectStore(s3, query.bucketName));
  const logs = () => functionLogs(query.logGroupName);
  return {
    query,
    logs,
    async put(StreamName, PartitionKey, payloads) {
      const Records = payloads.map((payload) => ({ PartitionKey, Data: Buffer.from(payload) }));
      const { FailedRecordCount } = await kinesis.send(new PutRecordsCommand({ StreamName, Records }));
      if (FailedRecordCount) throw new Error(`${FailedRecordCount} records were not taken by ${StreamName}.`);
    },
    async command(tidemark) {
      const answer = await awsCall<{ readonly errorMessage?: string }>({
        service: "lambda",
        path: `/2015-03-31/functions/${query.functionName}/invocations`,
        query: "Qualifier=live",
        headers: { "content-type": "application/json" },
        body: { tidemark },
      });
      if (answer.errorMessage !== undefined) throw new Error(`${tidemark} failed: ${answer.errorMessage}`);
    },
    rows: (side) => read().newRows(`${prefix}${query.queryName}${side}/`),
    consumed: (records) =>
      eventually(
        `${query.queryName} consumes ${records} records`,
        logs,
        ({ progress }) =>
          progress.reduce((sum, batch) => sum + batch.decodedRecords + batch.malformedRows, 0) >= records,
      ),
  };
}

/** Asks twice a second until the answer will do. */
export async function eventually<T>(what: string, ask: () => Promise<T>, will: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (will(answer)) return answer;
    if (Date.now() > end) throw new Error(`In vain waited ${PATIENCE_MS / 1000} s until ${what}.`);
    await wait(500);
  }
}
