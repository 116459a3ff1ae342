import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENVIRONMENT } from "../../lib/lambda/environment.js";
import { sweeperHandler } from "../../lib/lambda/sweeper-handler.js";
import { type Stack, startStack } from "../../lib/local/stack.js";

describe("the sweeper", () => {
  let stack: Stack;
  const before = { ...process.env };

  beforeAll(async () => {
    stack = await startStack();
    await stack.createTable("checkpoints");
    await stack.createBucket("results");
    Object.assign(process.env, stack.variables, {
      [ENVIRONMENT.table]: "checkpoints",
      [ENVIRONMENT.bucket]: "results",
      [ENVIRONMENT.sweptQuery]: "views-5min",
      POWERTOOLS_LOG_LEVEL: "SILENT",
    });
  });

  afterAll(async () => {
    await stack?.stop();
    process.env = before;
  });

  it("deletes nothing where it finds no checkpoint that could say what is in use", async () => {
    const object = { Bucket: "results", Key: "checkpoints/views-5min/1/0/delta/x", Body: "x" };
    await stack.clients.s3.send(new PutObjectCommand(object));
    expect(await sweeperHandler()()).toEqual({ deleted: 0 });
  });

  it("says which variable it misses", async () => {
    delete process.env[ENVIRONMENT.sweptQuery];
    await expect(sweeperHandler()()).rejects.toThrow(ENVIRONMENT.sweptQuery);
  });
});
