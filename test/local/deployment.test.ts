import { PutRecordCommand } from "@aws-sdk/client-kinesis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createQueryResources, deployQuery } from "../../lib/local/deployment.js";
import { functionPool } from "../../lib/local/function-pool.js";
import { inProcessEnvironment } from "../../lib/local/lambda-environment.js";
import { type Stack, startStack } from "../../lib/local/stack.js";

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.stop());

test("a deployed function gets the records of its streams, ticks, and its own failures again", async () => {
  const events: { tidemark?: string; Records?: { eventSourceARN: string; kinesis: { sequenceNumber: string } }[] }[] =
    [];
  const pool = functionPool(() =>
    inProcessEnvironment(async (event) => {
      events.push(event as (typeof events)[number]);
      const itemIdentifier = (event as (typeof events)[number]).Records?.[0]?.kinesis.sequenceNumber;
      return events.length === 1 ? { batchItemFailures: [{ itemIdentifier }] } : { batchItemFailures: [] };
    }),
  );
  await stack.createStream("views");
  await stack.createStream("clicks");
  const deployment = await deployQuery({
    stack,
    name: "joined",
    streams: ["views", "clicks"],
    function: pool,
    mapping: { pollMs: 5, backoffMs: 1 },
    tickMs: 0,
  });
  const put = (StreamName: string) =>
    stack.clients.kinesis.send(new PutRecordCommand({ StreamName, PartitionKey: "k", Data: Buffer.from("x") }));
  await put("views");
  await deployment.whenCaughtUp();
  await put("clicks");
  await deployment.whenCaughtUp();
  await deployment.tick();
  await deployment.drain();
  await deployment.stop();
  const seen = events.map((event) => event.tidemark ?? event.Records?.[0]?.eventSourceARN.split("/")[1]);
  expect(seen).toEqual(["views", "views", "clicks", "tick", "drain"]);
});

test("ticks come by themselves, and one that fails is reported", async () => {
  const errors: unknown[] = [];
  let ticks = 0;
  const deployment = await deployQuery({
    stack,
    name: "quiet",
    streams: [],
    function: inProcessEnvironment(async () => {
      ticks += 1;
      if (ticks === 1) throw new Error("first");
    }),
    tickMs: 10,
    onError: (error) => errors.push(error),
  });
  await expect.poll(() => ticks).toBeGreaterThan(2);
  await deployment.stop();
  expect(errors).toMatchObject([{ message: "first" }]);
});

test("a query's resources are made, and named in its variables", async () => {
  const variables = await createQueryResources(stack, { table: "checkpoint", bucket: "data" });
  expect(variables).toMatchObject({
    TIDEMARK_TABLE: "checkpoint",
    TIDEMARK_BUCKET: "data",
    AWS_ENDPOINT_URL_DYNAMODB: stack.endpoints.dynamodb,
  });
});
