import { readFile } from "node:fs/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KinesisClient } from "@aws-sdk/client-kinesis";
import { S3Client } from "@aws-sdk/client-s3";
import { NodeHttpHandler } from "@smithy/node-http-handler";

/** A deployed query, by the outputs of its stack. */
export interface DeployedQuery {
  readonly queryName: string;
  readonly functionName: string;
  readonly logGroupName: string;
  readonly tableName: string;
  readonly bucketName: string;
}

export interface Deployment {
  readonly kinesis: KinesisClient;
  readonly dynamodb: DynamoDBClient;
  readonly s3: S3Client;
  query(stack: string): DeployedQuery;
}

/** From the file that `cdk deploy --outputs-file` wrote; region, credentials and endpoint come from the environment. */
export async function openDeployment(outputsFile: string): Promise<Deployment> {
  const stacks = JSON.parse(await readFile(outputsFile, "utf8")) as Record<string, Record<string, string>>;
  const ownEndpoint = process.env["AWS_ENDPOINT_URL"] !== undefined;
  return {
    kinesis: new KinesisClient({ requestHandler: new NodeHttpHandler() }),
    dynamodb: new DynamoDBClient({}),
    s3: new S3Client({ forcePathStyle: ownEndpoint }),
    query(stack) {
      const output = (name: string): string => {
        const value = stacks[stack]?.[name];
        if (value === undefined) throw new Error(`${outputsFile} has no output ${name} of ${stack}.`);
        return value;
      };
      return {
        queryName: output("QueryName"),
        functionName: output("FunctionName"),
        logGroupName: output("LogGroupName"),
        tableName: output("TableName"),
        bucketName: output("BucketName"),
      };
    },
  };
}
