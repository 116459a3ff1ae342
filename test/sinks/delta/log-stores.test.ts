import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { s3ObjectStore } from "../../../lib/checkpoint/s3-object-store.js";
import type { LoopbackServer } from "../../../lib/local/loopback-server.js";
import { startS3Emulator } from "../../../lib/local/s3-emulator/s3-emulator.js";
import { memoryLogStore } from "../../../lib/sinks/delta/memory-log-store.js";
import { s3LogStore } from "../../../lib/sinks/delta/s3-log-store.js";
import { logStoreContract } from "../../contract/log-store.js";

let server: LoopbackServer;
let client: S3Client;
let made = 0;

logStoreContract("memory", { make: async () => memoryLogStore() });

logStoreContract("S3", {
  async make() {
    const bucket = `bucket-${++made}`;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return s3LogStore(client, bucket, s3ObjectStore(client, bucket));
  },
  async start() {
    server = await startS3Emulator();
    client = new S3Client({
      endpoint: server.endpoint,
      region: "us-east-1",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      requestHandler: new NodeHttpHandler(),
      forcePathStyle: true,
    });
  },
  async stop() {
    client.destroy();
    await server.stop();
  },
});
