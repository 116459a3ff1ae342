import { type BatchGetItemCommandInput, CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dynamodbCheckpointLog } from "../../lib/checkpoint/dynamodb-checkpoint-log.js";
import { startDynamoDbEmulator } from "../../lib/local/dynamodb-emulator/dynamodb-emulator.js";
import { type FaultProxy, startFaultProxy } from "../../lib/local/fault-proxy.js";
import { checkpointLogContract } from "../contract/checkpoint-log.js";

const TABLE = "checkpoint";
const clients: DynamoDBClient[] = [];

function connect(endpoint: string): DynamoDBClient {
  const client = new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    requestHandler: new NodeHttpHandler(),
  });
  clients.push(client);
  return client;
}

const stopClients = () => {
  for (const client of clients.splice(0)) client.destroy();
};

async function startTable() {
  const server = await startDynamoDbEmulator();
  await connect(server.endpoint).send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    }),
  );
  return server;
}

let emulator: Awaited<ReturnType<typeof startTable>>;
let made = 0;

checkpointLogContract("DynamoDB", {
  make: (clock) =>
    dynamodbCheckpointLog({
      client: connect(emulator.endpoint),
      tableName: TABLE,
      query: `q${++made}`,
      now: () => clock.now,
    }),
  start: async () => {
    emulator = await startTable();
  },
  stop: async () => {
    stopClients();
    await emulator.stop();
  },
});

describe("the checkpoint log in DynamoDB, over a failing network", () => {
  const at = { incarnation: "000000000000001", partition: 0 };
  const slot = { batchId: 1, attemptId: "a1", generation: 1, body: Uint8Array.of(1) };
  const clock = { now: 1_700_000_000_000, tick: 0 };
  let proxy: FaultProxy;
  let server: Awaited<ReturnType<typeof startTable>>;
  const make = () =>
    dynamodbCheckpointLog({
      client: connect(proxy.endpoint),
      tableName: TABLE,
      query: `f${++made}`,
      now: () => {
        clock.now += clock.tick;
        return clock.now;
      },
    });

  beforeAll(async () => {
    server = await startTable();
    proxy = await startFaultProxy({ target: server.endpoint });
  });
  afterAll(async () => {
    stopClients();
    await proxy.stop();
    await server.stop();
  });

  it("keeps the attempt id over retries: a put whose response was lost is refused by itself", async () => {
    proxy.setRules([{ operation: "PutItem", times: 1, fault: "drop-response" }]);
    expect(await make().putSlot(at, 1, slot, null, { oldestUpload: null })).toEqual({
      outcome: "refused",
      existing: slot,
    });
  });

  it("says of a refused move whether it was sent once: a retry's refusal proves nothing [CE5]", async () => {
    proxy.setRules([{ operation: "UpdateItem", times: 1, fault: "drop-response" }]);
    const next = { batchId: 1, manifestKey: "m1", generation: 1 };
    expect(await make().movePointer(at, next, null, { oldestUpload: null })).toEqual({
      outcome: "refused",
      existing: { ...next, publishedThrough: 0, published: 0 },
      sentOnce: false,
    });
  });

  it("does not know the outcome when no response comes at all", async () => {
    proxy.setRules([{ operation: "PutItem", fault: "drop-response" }]);
    const log = make();
    expect((await log.putSlot(at, 1, slot, null, { oldestUpload: null })).outcome).toBe("unknown");
    proxy.setRules([{ operation: "PutItem", fault: "server-error" }]);
    expect((await log.putSlot(at, 2, { ...slot, batchId: 2 }, null, { oldestUpload: null })).outcome).toBe("unknown");
    // The first was applied, the second was not: the outcome could not say.
    expect(await log.readSlots(at, [1, 2])).toEqual([slot, null]);
  });

  it("retries what was throttled", async () => {
    proxy.setRules([{ operation: "PutItem", times: 2, fault: "throttle" }]);
    expect(await make().putSlot(at, 1, slot, null, { oldestUpload: null })).toEqual({ outcome: "applied" });
  });

  it("waits where a batch of reads comes back unread, and gives up in the end", async () => {
    const client = connect(proxy.endpoint);
    const throttled = { left: 0, sent: 0 };
    client.middlewareStack.add(
      (next) => async (args) => {
        const { RequestItems } = args.input as BatchGetItemCommandInput;
        if (RequestItems === undefined) return next(args);
        throttled.sent++;
        if (throttled.left-- <= 0) return next(args);
        return { response: {}, output: { $metadata: {}, Responses: {}, UnprocessedKeys: RequestItems } };
      },
      { step: "initialize" },
    );
    const log = dynamodbCheckpointLog({ client, tableName: TABLE, query: `f${++made}`, now: () => clock.now });
    await log.putSlot(at, 1, slot, null, { oldestUpload: null });
    throttled.left = 2;
    expect(await log.readSlots(at, [1, 2])).toEqual([slot, null]);
    Object.assign(throttled, { left: Number.POSITIVE_INFINITY, sent: 0 });
    await expect(log.readSlots(at, [1, 2])).rejects.toThrow("checkpoint-throttled");
    expect(throttled.sent).toBe(6);
  });

  it("checks the age of the uploads once per sending, and stops a retry that has become too late", async () => {
    const log = make();
    const calls = () => proxy.calls.get("PutItem") ?? 0;
    proxy.setRules([{ operation: "PutItem", times: 1, fault: "throttle" }]);
    // One reading of the clock per sending: the first is 9 minutes after the upload, its retry 18.
    clock.tick = 9 * 60_000;
    const before = calls();
    expect(await log.putSlot(at, 1, slot, null, { oldestUpload: clock.now })).toEqual({ outcome: "stale-uploads" });
    expect(calls() - before).toBe(1);
    clock.tick = 0;
    expect(await log.readSlot(at, 1)).toBeNull();
  });
});
