import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  CreateStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  PutRecordsCommand,
} from "@aws-sdk/client-kinesis";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { bundleToTemporaryFile } from "../../lib/cli/bundle.js";
import { childEnvironment } from "../../lib/local/child-environment.js";
import { connectClients, type Endpoints } from "../../lib/local/stack-clients.js";

test("emulators killed -9 amid writes keep, over restarts, all that they acknowledged", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  const bundle = await bundleToTemporaryFile(fileURLToPath(new URL("functions/emulator-host.ts", import.meta.url)));
  const host = childEnvironment({ handlerFile: bundle.file });
  const connect = async () => connectClients((await host.invoke({ directory })) as Endpoints, { maxAttempts: 1 });
  try {
    const acknowledged: string[] = [];
    let clients = await connect();
    await clients.kinesis.send(new CreateStreamCommand({ StreamName: "s", ShardCount: 1 }));
    await clients.s3.send(new CreateBucketCommand({ Bucket: "b" }));
    for (let life = 0; life < 3; life++) {
      if (life > 0) clients = await connect();
      const { kinesis, s3 } = clients;
      let writing = true;
      const writer = async (lane: number) => {
        for (let i = 0; writing; i++) {
          const name = `${life}-${lane}-${i}`;
          const Records = [{ PartitionKey: "k", Data: Buffer.from(name) }];
          const padding = "x".repeat(100_000);
          try {
            await s3.send(new PutObjectCommand({ Bucket: "b", Key: name, Body: name + padding }));
            await kinesis.send(new PutRecordsCommand({ StreamName: "s", Records }));
            acknowledged.push(name);
          } catch {
            return;
          }
        }
      };
      const writers = [0, 1, 2, 3].map(writer);
      const enough = acknowledged.length + 12;
      await expect.poll(() => acknowledged.length, { interval: 2, timeout: 20_000 }).toBeGreaterThan(enough);
      await host.kill();
      writing = false;
      await Promise.all(writers);
    }
    const { kinesis, s3 } = await connect();
    const first = { StreamName: "s", ShardId: "shardId-000000000000", ShardIteratorType: "TRIM_HORIZON" as const };
    const { ShardIterator } = await kinesis.send(new GetShardIteratorCommand(first));
    const { Records } = await kinesis.send(new GetRecordsCommand({ ShardIterator }));
    const found = new Set(Records!.map((record) => Buffer.from(record.Data!).toString()));
    expect(acknowledged.filter((name) => !found.has(name))).toEqual([]);
    for (const name of acknowledged.slice(-10)) {
      const object = await s3.send(new GetObjectCommand({ Bucket: "b", Key: name }));
      expect(await object.Body!.transformToString()).toHaveLength(name.length + 100_000);
    }
    const numbers = Records!.map((record) => BigInt(record.SequenceNumber!));
    expect(numbers.every((number, i) => i === 0 || number > numbers[i - 1]!)).toBe(true);
  } finally {
    await host.stop();
    await bundle.remove();
    rmSync(directory, { recursive: true });
  }
});
