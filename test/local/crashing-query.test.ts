import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { PutRecordsCommand } from "@aws-sdk/client-kinesis";
import { expect, test } from "vitest";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { bundleToTemporaryFile } from "../../lib/local/bundle.js";
import { type ChildEnvironment, childEnvironment, type FrozenEnvironment } from "../../lib/local/child-environment.js";
import { createQueryResources, deployQuery } from "../../lib/local/deployment.js";
import { startFaultProxy } from "../../lib/local/fault-proxy.js";
import { functionPool } from "../../lib/local/function-pool.js";
import { seededRandom } from "../../lib/local/seeded-random.js";
import { startStack } from "../../lib/local/stack.js";
import { endpointVariables } from "../../lib/local/stack-clients.js";

const START = Date.UTC(2026, 0, 1);

test("a query whose processes are killed and frozen, and whose writes lose their answers, counts each record once", async () => {
  const stack = await startStack();
  const bundle = await bundleToTemporaryFile(fileURLToPath(new URL("functions/counting-query.ts", import.meta.url)));
  const dynamodb = await startFaultProxy({
    target: stack.endpoints.dynamodb,
    seed: 7,
    rules: [
      { operation: "PutItem", probability: 0.1, fault: "drop-response" },
      { probability: 0.05, fault: "server-error" },
      { probability: 0.05, fault: "throttle" },
    ],
  });
  const variables = {
    ...(await createQueryResources(stack, { table: "checkpoint", bucket: "data" })),
    ...endpointVariables({ ...stack.endpoints, dynamodb: dynamodb.endpoint }),
  };
  const pool = functionPool((): ChildEnvironment => {
    return childEnvironment({ handlerFile: bundle.file, variables, timeoutMs: 10_000, onOutput: () => {} });
  });
  await stack.createStream("readings", 2);
  const deployment = await deployQuery({
    stack,
    name: "counting",
    streams: ["readings"],
    function: pool,
    mapping: { batchSize: 50, pollMs: 10, backoffMs: 10 },
    tickMs: 200,
  });
  try {
    const expected = new Map<string, string>();
    const random = seededRandom(11);
    const zombies: FrozenEnvironment[] = [];
    for (let round = 0; round < 9; round++) {
      const Records = Array.from({ length: 100 }, (_, i) => {
        const eventTime = START + (round * 100 + i) * 1000;
        const device = `d${Math.floor(random() * 8)}`;
        const key = `${new Date(Math.floor(eventTime / 60_000) * 60_000).toISOString()} ${device}`;
        const [count = 0, total = 0] = expected.get(key)?.split(" ").map(Number) ?? [];
        expected.set(key, `${count + 1} ${total + i}`);
        const reading = { eventTime: new Date(eventTime).toISOString(), device, value: i };
        return { PartitionKey: device, Data: Buffer.from(JSON.stringify(reading)) };
      });
      await stack.clients.kinesis.send(new PutRecordsCommand({ StreamName: "readings", Records }));
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 150));
      const victim = pool.environments[Math.floor(random() * pool.environments.length)];
      if (round % 3 === 0) await victim?.kill();
      if (round % 3 === 1) zombies.push(...[victim?.freeze()].filter((zombie) => zombie != null));
      if (round % 3 === 2)
        void zombies
          .shift()
          ?.thaw()
          .catch(() => {});
    }
    await Promise.allSettled(zombies.map((zombie) => zombie.thaw()));
    await deployment.whenCaughtUp();
    dynamodb.setRules([]);
    await deployment.drain();

    const found = new Map<string, string>();
    const objects = s3ObjectStore(stack.clients.s3, "data");
    for await (const { key } of objects.list("out/counting/")) {
      const lines = gunzipSync((await objects.get(key))!)
        .toString()
        .trim()
        .split("\n");
      for (const { window, device, readings, total } of lines.map((line) => JSON.parse(line))) {
        const group = `${new Date(window.start).toISOString()} ${device}`;
        expect(found.has(group), `${group} came twice`).toBe(false);
        found.set(group, `${readings} ${total}`);
      }
    }
    expect(dynamodb.struck()).toBeGreaterThan(5);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  } finally {
    await deployment.stop();
    await dynamodb.stop();
    await stack.stop();
    await bundle.remove();
  }
});
