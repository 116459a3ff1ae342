import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { type HandledQuery, queryHandler } from "../../lib/lambda/query-handler.js";
import {
  inProcessEnvironment,
  type LambdaEnvironment,
  type LambdaHandler,
} from "../../lib/local/lambda-environment.js";
import { readings } from "./queries.js";
import { type FaultWorld, groupsOf, put, START, someReadings, startFaultWorld } from "./support.js";

let world: FaultWorld;
afterEach(() => world?.stop());

const MB = 1024 * 1024;

/** Remembers how large the events were that it was given. */
function weighed(query: HandledQuery, events: { records: number; bytes: number }[]): () => LambdaEnvironment {
  return () => {
    const inner = inProcessEnvironment(queryHandler(query) as unknown as LambdaHandler);
    return {
      ...inner,
      invoke(event) {
        const { Records } = event as { readonly Records?: readonly unknown[] };
        if (Records) events.push({ records: Records.length, bytes: JSON.stringify(event).length });
        return inner.invoke(event);
      },
    };
  };
}

test("10,000 records in one invocation, and events of nearly 6 MB, are micro-batches like any other", async () => {
  world = await startFaultWorld(1);
  const events: { records: number; bytes: number }[] = [];
  const query = readings("large");
  const { payloads, groups } = someReadings(0, 10_000);
  await put(world.stack, payloads);
  const padding = "x".repeat(20_000);
  const heavy = someReadings(10_000, 300, groups);
  await put(
    world.stack,
    heavy.payloads.map((payload) => `${payload.slice(0, -1)},"ignored":"${padding}"}`),
    () => "k",
  );
  const deployment = await world.deploy(query, {
    batchSize: 10_000,
    batchingWindowMs: 300,
    environment: weighed(query, events),
  });
  await deployment.whenCaughtUp();
  await deployment.drain();
  expect(groupsOf(await world.output("large"))).toEqual(heavy.groups);
  expect(Math.max(...events.map(({ records }) => records))).toBe(10_000);
  const heaviest = Math.max(...events.map(({ bytes }) => bytes));
  expect(heaviest).toBeGreaterThan(5.5 * MB);
  expect(heaviest).toBeLessThanOrEqual(6 * MB);
});

test("records over the limits go to the malformed output with their reason, and those beside them are counted", async () => {
  world = await startFaultWorld(1);
  const deployment = await world.deploy(readings("limits"));
  const { payloads, groups } = someReadings(0, 40);
  const reading = { eventTime: new Date(START).toISOString(), device: "d0", value: 1 };
  const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const largest = JSON.stringify({ ...reading, device: "x".repeat(MB - 200) });
  const bomb = gzipSync(JSON.stringify({ ...reading, more: "x".repeat(60 * MB) }));
  await put(world.stack, [
    ...payloads.slice(0, 20),
    // A record as large as Kinesis takes is no poison.
    largest,
    bomb,
    // Deep where no column is, so that nothing of it is kept; deep in a column; deep and nothing else.
    `${payloads[20]!.slice(0, -1)},"ignored":${nested}}`,
    `{"eventTime":"${reading.eventTime}","device":${nested},"value":1}`,
    nested,
    ...payloads.slice(21),
  ]);
  await deployment.whenCaughtUp();
  await deployment.drain();
  const found = groupsOf(await world.output("limits"));
  const big = Object.keys(found).filter((group) => group.length > MB / 2);
  expect(big).toHaveLength(1);
  const { [big[0]!]: _, ...others } = found;
  expect(others).toEqual(groups);
  const malformed = await world.output("limits.malformed");
  expect(malformed.map(({ reason }) => reason).sort()).toEqual(["schema-violation", "schema-violation", "too-large"]);
});
