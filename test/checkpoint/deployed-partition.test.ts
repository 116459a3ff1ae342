import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dynamodbCheckpointLog } from "../../lib/checkpoint/dynamodb-checkpoint-log.js";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import type { StatePartitionOptions } from "../../lib/checkpoint/state-partition-ring.js";
import { startDynamoDbEmulator } from "../../lib/local/dynamodb-emulator/dynamodb-emulator.js";
import { type FaultProxy, startFaultProxy } from "../../lib/local/fault-proxy.js";
import type { LoopbackServer } from "../../lib/local/loopback-server.js";
import { startS3Emulator } from "../../lib/local/s3-emulator/s3-emulator.js";
import { connectClients, type StackClients } from "../../lib/local/stack-clients.js";
import { CHECKPOINT_KEYS, ensureBucket, ensureTable } from "../../lib/local/stack-resources.js";
import { contents, step, testWorld } from "./test-world.js";

const servers: { stop(): Promise<void> }[] = [];
let dynamodb: FaultProxy;
let s3: FaultProxy;
let clients: StackClients;
let queries = 0;

beforeAll(async () => {
  const started: LoopbackServer[] = [await startDynamoDbEmulator(), await startS3Emulator()];
  dynamodb = await startFaultProxy({ target: started[0]!.endpoint, seed: 7 });
  s3 = await startFaultProxy({ target: started[1]!.endpoint, seed: 8 });
  servers.push(dynamodb, s3, ...started);
  clients = connectClients({ dynamodb: dynamodb.endpoint, s3: s3.endpoint, kinesis: "http://127.0.0.1:1" });
  await ensureTable(clients, "checkpoint", CHECKPOINT_KEYS);
  await ensureBucket(clients, "bucket");
});

afterAll(async () => {
  for (const client of Object.values(clients)) client.destroy();
  for (const server of servers) await server.stop();
});

function deployed(more: Partial<StatePartitionOptions>) {
  const query = `q${++queries}`;
  const now = Date.now;
  const log = dynamodbCheckpointLog({ client: clients.dynamodb, tableName: "checkpoint", query, now });
  return testWorld({ query, log, now, objects: s3ObjectStore(clients.s3, "bucket"), newId: randomUUID, ...more });
}

const totalCalls = (proxy: FaultProxy) => [...proxy.calls.values()].reduce((sum, count) => sum + count, 0);

describe("a state partition over DynamoDB and S3", () => {
  it("costs exactly one DynamoDB request per warm commit, and none to S3 while entries are small", async () => {
    const { open, publisher } = deployed({});
    const warm = open();
    await step(warm, publisher, 1);
    const before = [totalCalls(dynamodb), totalCalls(s3)] as const;
    for (let n = 2; n <= 64; n++) await step(warm, publisher, n);
    expect(totalCalls(dynamodb) - before[0]).toBe(63);
    expect(totalCalls(s3) - before[1]).toBe(0);
  });

  it.each([{ inlineLimitBytes: 0 }, { inlineLimitBytes: 8192 }])(
    "loads cold what the warm environment holds, though requests are throttled, fail and lose their responses: %o",
    async (options) => {
      const { open, publisher, published } = deployed({ ringSize: 4, ...options });
      dynamodb.setRules([
        { probability: 0.05, fault: "throttle" },
        { probability: 0.05, fault: "drop-response" },
        { probability: 0.03, fault: "server-error" },
      ]);
      s3.setRules([{ probability: 0.05, fault: "drop-response" }]);
      const warm = open();
      for (let n = 1; n <= 30; ) {
        // What the runtime does: an unknown outcome fails the invocation, and the next one finds out.
        try {
          await warm.load();
          const next = warm.position().version + 1;
          if (next > n) n = next;
          else if ((await step(warm, publisher, n)) === "committed") n++;
        } catch (error) {
          expect(error).not.toMatchObject({ domain: "internal" });
        }
      }
      dynamodb.setRules([]);
      s3.setRules([]);
      await warm.load({ fresh: true });
      await warm.publish(publisher, () => false);
      const cold = open();
      await cold.load();
      expect(contents(cold)).toEqual(contents(warm));
      const ids = published.map(({ batchId }) => batchId);
      expect([...new Set(ids)].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    },
  );
});
