import { GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FaultProxy, type FaultRule, startFaultProxy } from "../../lib/local/fault-proxy.js";
import { type Stack, startStack } from "../../lib/local/stack.js";
import { connectClients, type StackClients } from "../../lib/local/stack-clients.js";

let stack: Stack;
let dynamodb: FaultProxy;
let s3: FaultProxy;
let once: StackClients;
let patient: StackClients;
beforeAll(async () => {
  stack = await startStack();
  await stack.createTable("table", [{ name: "pk", type: "S" }]);
  await stack.createBucket("b");
  dynamodb = await startFaultProxy({ target: stack.endpoints.dynamodb });
  s3 = await startFaultProxy({ target: stack.endpoints.s3 });
  const endpoints = { ...stack.endpoints, dynamodb: dynamodb.endpoint, s3: s3.endpoint };
  once = connectClients(endpoints, { maxAttempts: 1 });
  patient = connectClients(endpoints);
});
afterEach(() => {
  dynamodb.setRules([]);
  s3.setRules([]);
});
afterAll(async () => {
  for (const client of [...Object.values(once), ...Object.values(patient)]) client.destroy();
  await Promise.all([dynamodb.stop(), s3.stop()]);
  await stack.stop();
});

const put = (clients: StackClients, pk: string) =>
  clients.dynamodb.send(
    new PutItemCommand({
      TableName: "table",
      Item: { pk: { S: pk } },
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
  );
const stands = async (pk: string) =>
  (await stack.clients.dynamodb.send(new GetItemCommand({ TableName: "table", Key: { pk: { S: pk } } }))).Item !==
  undefined;

test("without rules a proxy is transparent", async () => {
  await put(once, "plain");
  await once.s3.send(new PutObjectCommand({ Bucket: "b", Key: "k", Body: "v" }));
  const object = await once.s3.send(new GetObjectCommand({ Bucket: "b", Key: "k" }));
  expect(await object.Body!.transformToString()).toBe("v");
});

test("a dropped response was applied: the client's retry meets its own write", async () => {
  dynamodb.setRules([{ operation: "PutItem", times: 1, fault: "drop-response" }]);
  const error = await put(patient, "dropped").catch((e: unknown) => e);
  expect(error).toMatchObject({ name: "ConditionalCheckFailedException", Item: { pk: { S: "dropped" } } });
});

test("a dropped request, a server error and a throttle were not applied", async () => {
  for (const fault of ["drop-request", "server-error", "throttle"] as const) {
    dynamodb.setRules([{ operation: "PutItem", fault }]);
    await expect(put(once, fault)).rejects.toThrow();
    expect(await stands(fault)).toBe(false);
    dynamodb.setRules([{ operation: "PutItem", times: 1, fault }]);
    await put(patient, fault);
    expect(await stands(fault)).toBe(true);
  }
});

test("a throttle bears the service's own name", async () => {
  dynamodb.setRules([{ fault: "throttle" }]);
  await expect(put(once, "x")).rejects.toMatchObject({ name: "ProvisionedThroughputExceededException" });
  s3.setRules([{ operation: "PUT", fault: "throttle" }]);
  await expect(once.s3.send(new PutObjectCommand({ Bucket: "b", Key: "k", Body: "v" }))).rejects.toMatchObject({
    name: "SlowDown",
  });
});

test("the same seed gives the same faults", async () => {
  const rules: FaultRule[] = [{ probability: 0.4, fault: "server-error" }];
  const outcomes = async (seed: number) => {
    const proxy = await startFaultProxy({ target: stack.endpoints.s3, rules, seed });
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) statuses.push((await fetch(`${proxy.endpoint}/b?location`)).status);
    await proxy.stop();
    return statuses;
  };
  const first = await outcomes(7);
  expect(new Set(first)).toEqual(new Set([200, 500]));
  expect(await outcomes(7)).toEqual(first);
  expect(await outcomes(8)).not.toEqual(first);
});
