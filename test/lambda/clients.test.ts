import { expect, it } from "vitest";
import { lazyClients } from "../../lib/lambda/clients.js";

process.env["AWS_REGION"] ??= "us-east-1";

it("makes one client for streams and one for objects, and a new one for every checkpoint", async () => {
  const clients = lazyClients(false);
  expect(await clients.kinesis()).toBe(await clients.kinesis());
  expect(await clients.s3()).toBe(await clients.s3());
  expect(await clients.dynamodb()).not.toBe(await clients.dynamodb());
});

it("keeps the bucket in the path where the endpoint is not AWS's", async () => {
  const inPath = async (own: boolean) => (await lazyClients(own).s3()).config.forcePathStyle;
  expect([await inPath(true), await inPath(false)]).toEqual([true, false]);
});
