import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { PutRecordsCommand } from "@aws-sdk/client-kinesis";
import { expect, test } from "vitest";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { bundleToTemporaryFile } from "../../lib/cli/bundle.js";
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
  const zombies: FrozenEnvironment[] = [];
  const thawed: Promise<unknown>[] = [];
  let commits = 0;
  /** Strikes where it hurts most: the commit is applied, and its writer does not live, or wakes much later, to learn of it. */
  const strike = () => {
    commits += 1;
    if (commits % 8 === 2) {
      for (const environment of pool.environments) void environment.kill();
      for (const zombie of zombies.splice(0)) thawed.push(zombie.thaw());
      return true;
    }
    if (commits % 8 !== 6) return false;
    for (const environment of pool.environments)
      zombies.push(...[environment.freeze()].filter((zombie) => zombie !== null));
    return true;
  };
  const dynamodb = await startFaultProxy({
    target: stack.endpoints.dynamodb,
    seed: 7,
    rules: [
      { operation: "PutItem", when: strike, fault: "drop-response" },
      { operation: "PutItem", probability: 0.1, fault: "drop-response" },
      { probability: 0.05, fault: "server-error" },
      { probability: 0.05, fault: "throttle" },
    ],
  });
  const variables = {
    ...(await createQueryResources(stack, { table: "checkpoint", bucket: "data" })),
    ...endpointVariables({ ...stack.endpoints, dynamodb: dynamodb.endpoint }),
  };
  const pool = functionPool(
    (): ChildEnvironment =>
      childEnvironment({ handlerFile: bundle.file, variables, timeoutMs: 10_000, onOutput: () => {} }),
    { concurrency: 3 },
  );
  await stack.createStream("readings", 2);
  const deployment = await deployQuery({
    stack,
    name: "counting",
    streams: ["readings"],
    function: pool,
    mapping: { batchSize: 50, pollMs: 10, backoffMs: 10 },
    tickMs: 500,
  });
  try {
    const expected = new Map<string, string>();
    const random = seededRandom(11);
    for (let round = 0; round < 4; round++) {
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
      await deployment.whenCaughtUp();
    }
    for (const zombie of zombies.splice(0)) thawed.push(zombie.thaw());
    await Promise.allSettled(thawed);
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
    expect(thawed.length).toBeGreaterThan(0);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  } finally {
    await deployment.stop();
    await dynamodb.stop();
    await stack.stop();
    await bundle.remove();
  }
});
