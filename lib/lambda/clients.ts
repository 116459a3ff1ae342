import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { KinesisClient } from "@aws-sdk/client-kinesis";
import type { S3Client } from "@aws-sdk/client-s3";

/** Clients by need: each loads its SDK at the first call, so a query pays only for the services that it uses. */
export interface Clients {
  /** A new one per call: the checkpoint log wraps the signer of its own. */
  dynamodb(): Promise<DynamoDBClient>;
  kinesis(): Promise<KinesisClient>;
  s3(): Promise<S3Client>;
}

/** `ownEndpoints`: the SDK finds them in the environment; S3 then keeps the bucket in the path, and Kinesis speaks HTTP/1.1. */
export function lazyClients(ownEndpoints: boolean): Clients {
  let kinesis: Promise<KinesisClient> | undefined;
  let s3: Promise<S3Client> | undefined;
  return {
    async dynamodb() {
      const { DynamoDBClient } = await import("@aws-sdk/client-dynamodb");
      return new DynamoDBClient({});
    },
    kinesis() {
      kinesis ??= newKinesis(ownEndpoints);
      return kinesis;
    },
    s3() {
      s3 ??= import("@aws-sdk/client-s3").then(({ S3Client }) => new S3Client({ forcePathStyle: ownEndpoints }));
      return s3;
    },
  };
}

/** The Kinesis client speaks HTTP/2 by default, which servers other than AWS's do not. */
async function newKinesis(ownEndpoints: boolean): Promise<KinesisClient> {
  const { KinesisClient } = await import("@aws-sdk/client-kinesis");
  if (!ownEndpoints) return new KinesisClient({});
  const { NodeHttpHandler } = await import("@smithy/node-http-handler");
  return new KinesisClient({ requestHandler: new NodeHttpHandler() });
}
