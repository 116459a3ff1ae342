import { afterEach, expect, test } from "vitest";
import type { FaultRule } from "../../lib/local/fault-proxy.js";
import { readings } from "./queries.js";
import { type FaultWorld, groupsOf, put, someReadings, startFaultWorld } from "./support.js";

let world: FaultWorld;
afterEach(() => world?.stop());

const UNRELIABLE: readonly FaultRule[] = [
  { probability: 0.06, fault: "throttle" },
  { probability: 0.06, fault: "server-error" },
  { probability: 0.05, fault: "drop-response" },
  { probability: 0.03, fault: "drop-request" },
  { probability: 0.1, fault: { delayMs: 30 } },
];

test("throttling, errors, lost requests and lost answers of all three services cost time and no record", async () => {
  world = await startFaultWorld(3);
  const deployment = await world.deploy(readings(), { tickMs: 200 });
  for (const proxy of Object.values(world.proxies)) proxy.setRules(UNRELIABLE);
  const { payloads, groups } = someReadings(0, 600);
  await put(world.stack, payloads);
  await deployment.whenCaughtUp();
  for (const [service, proxy] of Object.entries(world.proxies)) {
    if (service !== "s3") expect(proxy.struck(), service).toBeGreaterThan(0);
    proxy.setRules([]);
  }
  await deployment.drain();
  expect(groupsOf(await world.output("counting"))).toEqual(groups);
  expect(await world.output("counting.late")).toEqual([]);
  expect(await world.output("counting.malformed")).toEqual([]);
});

test("a sink that is down stops each shard after one commit, and loses nothing", async () => {
  world = await startFaultWorld(2);
  const deployment = await world.deploy(readings("pressed"));
  const last = async () => (await world.committed("pressed")).at(-1) ?? 0;
  const struck = (times: number) =>
    expect.poll(() => world.proxies.s3.struck(), { interval: 5, timeout: 10_000 }).toBeGreaterThanOrEqual(times);
  const first = someReadings(0, 200);
  await put(world.stack, first.payloads);
  await deployment.whenCaughtUp();

  world.proxies.s3.setRules([{ operation: "PUT", when: ({ url }) => url.includes("/out/"), fault: "server-error" }]);
  // Two hours on: windows close, so there is something to publish; every batch after it finds the sink still down.
  const later = someReadings(7200, 900, first.groups);
  await put(world.stack, later.payloads);
  await struck(1);
  const then = await last();
  await struck(15);
  const pressed = await last();
  expect(pressed - then).toBeLessThanOrEqual(2);
  await struck(27);
  expect(await last()).toBe(pressed);
  expect(pressed).toBeLessThan(1100 / 50);
  expect(await world.output("pressed")).toEqual([]);

  world.proxies.s3.setRules([]);
  await deployment.whenCaughtUp();
  await deployment.drain();
  expect(groupsOf(await world.output("pressed"))).toEqual(later.groups);
});
