import { PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { ENVIRONMENT } from "../../lib/lambda/environment.js";
import { sweeperHandler } from "../../lib/lambda/sweeper-handler.js";
import { deployedStack } from "./deployed-stack.js";

describe("the sweeper", () => {
  const deployed = deployedStack();

  beforeAll(() => {
    process.env[ENVIRONMENT.sweptQuery] = "views-5min";
  });

  it("deletes nothing where it finds no checkpoint that could say what is in use", async () => {
    const object = { Bucket: "results", Key: "checkpoints/views-5min/1/0/delta/x", Body: "x" };
    await deployed.stack.clients.s3.send(new PutObjectCommand(object));
    expect(await sweeperHandler()()).toEqual({ deleted: 0 });
  });

  it("says which variable it misses", async () => {
    delete process.env[ENVIRONMENT.sweptQuery];
    await expect(sweeperHandler()()).rejects.toThrow(ENVIRONMENT.sweptQuery);
  });
});
