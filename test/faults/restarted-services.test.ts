import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import type { Endpoints } from "../../lib/local/stack-clients.js";
import { readings } from "./queries.js";
import { groupsOf, put, someReadings, startFaultWorld } from "./support.js";

const HOST = fileURLToPath(new URL("functions/stack-host.ts", import.meta.url));

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startHost(directory: string) {
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", HOST, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout!, "data");
  return {
    endpoints: JSON.parse(String(line)) as Endpoints,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test("services that are killed -9 and come back with what they had acknowledged leave every record counted once", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tidemark-restart-"));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  let host = await startHost(directory);
  cleanups.push(() => host.kill());

  const world = await startFaultWorld(2, (service) => host.endpoints[service]);
  cleanups.push(() => world.stop());
  const deployment = await world.deploy(readings(), { tickMs: 300, batchSize: 20 });
  let expected = someReadings(0, 100);
  await put(world.stack, expected.payloads);
  for (let life = 1; life <= 2; life++) {
    // In the middle of the batches of the life before.
    await host.kill();
    host = await startHost(directory);
    expected = someReadings(life * 100, 100, expected.groups);
    await put(world.stack, expected.payloads);
  }
  await deployment.whenCaughtUp();
  await deployment.drain();
  expect(groupsOf(await world.output("counting"))).toEqual(expected.groups);
});
