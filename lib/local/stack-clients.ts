import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KinesisClient } from "@aws-sdk/client-kinesis";
import { S3Client } from "@aws-sdk/client-s3";
import { NodeHttpHandler } from "@smithy/node-http-handler";

export interface Endpoints {
  readonly kinesis: string;
  readonly dynamodb: string;
  readonly s3: string;
}

export interface StackClients {
  readonly kinesis: KinesisClient;
  readonly dynamodb: DynamoDBClient;
  readonly s3: S3Client;
}

const CREDENTIALS = { accessKeyId: "local", secretAccessKey: "local" };
const LOCAL_REGION = "us-east-1";

/** Each with a pool of its own over HTTP/1.1: HTTP/2 breaks with several Kinesis servers other than AWS's. */
export function connectClients(endpoints: Endpoints, more: { readonly maxAttempts?: number } = {}): StackClients {
  const common = { region: LOCAL_REGION, credentials: CREDENTIALS, ...more };
  const requestHandler = () => new NodeHttpHandler();
  return {
    kinesis: new KinesisClient({ ...common, endpoint: endpoints.kinesis, requestHandler: requestHandler() }),
    dynamodb: new DynamoDBClient({ ...common, endpoint: endpoints.dynamodb, requestHandler: requestHandler() }),
    s3: new S3Client({ ...common, endpoint: endpoints.s3, requestHandler: requestHandler(), forcePathStyle: true }),
  };
}

/** What a process needs to find the stack: the variables that every AWS SDK reads. */
export function endpointVariables(endpoints: Endpoints): Readonly<Record<string, string>> {
  return {
    AWS_ENDPOINT_URL_KINESIS: endpoints.kinesis,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_REGION: LOCAL_REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  };
}
