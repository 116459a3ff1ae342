import { afterEach, expect, test } from "vitest";
import { count, kinesis, readStream, s3, sum, window } from "../../lib/index.js";
import { Reading } from "./queries.js";
import { type FaultWorld, groupsOf, put, START, someReadings, startFaultWorld } from "./support.js";

let world: FaultWorld;
afterEach(() => world?.stop());

const poisoned = (onError: "fail" | "malformed", throwing: boolean) =>
  readStream(kinesis({ stream: "readings", schema: Reading }))
    .withWatermark("eventTime", "1 hour")
    .filter((row) => {
      if (throwing && row.value === -1) throw new Error("a poison value");
      return row.value !== -1;
    })
    .groupBy(window("eventTime", "1 minute"), "device")
    .agg({ readings: count(), total: sum("value") })
    .writeStream({
      queryName: `poisoned-${onError}`,
      outputMode: "append",
      sink: s3({ prefix: "out/" }),
      options: { onError },
    });

const time = new Date(START).toISOString();
const POISON: readonly (string | Uint8Array)[] = [
  "not json",
  "",
  Uint8Array.of(0xff, 0xfe, 0x00),
  Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3),
  Uint8Array.of(0xf3, 0x89, 0x9a, 0xc2, 1, 2, 3),
  '{"eventTime":"soon","device":"d0","value":1}',
  '{"eventTime":5,"device":{"__proto__":{"value":1}},"value":1}',
  `{"eventTime":"${time}","device":"d0","value":1e400}`,
];
const THROWING = `{"eventTime":"${time}","device":"d0","value":-1}`;

test("records that are no rows, or at which a user function throws, hold nothing up where they go to the malformed output", async () => {
  world = await startFaultWorld(2);
  const deployment = await world.deploy(poisoned("malformed", true));
  const { payloads, groups } = someReadings(0, 200);
  const mixed = payloads.flatMap((payload, at) => [
    payload,
    ...(at % 20 === 0 ? [at % 40 === 0 ? THROWING : POISON[(at / 20) % POISON.length]!] : []),
  ]);
  await put(world.stack, [...POISON, THROWING, ...mixed]);
  await deployment.whenCaughtUp();
  await deployment.drain();
  expect(groupsOf(await world.output("poisoned-malformed"))).toEqual(groups);
  const malformed = await world.output("poisoned-malformed.malformed");
  const thrown = malformed.filter(({ reason }) => reason === "user-function");
  expect(malformed).toHaveLength(POISON.length + 1 + 10);
  expect(thrown).toHaveLength(6);
  expect(Buffer.from(String(thrown[0]!["payload"]), "base64").toString()).toBe(THROWING);
  expect(({} as Record<string, unknown>)["value"]).toBeUndefined();
});

test("a user function that throws stops its own shard at that record, and mended code takes up where it stopped", async () => {
  world = await startFaultWorld(2);
  const broken = await world.deploy(poisoned("fail", true));
  const first = someReadings(0, 60);
  await put(world.stack, first.payloads, () => "one shard");
  await put(world.stack, [THROWING], () => "one shard");
  const behind = someReadings(60, 20, first.groups);
  await put(world.stack, behind.payloads, () => "one shard");
  const other = someReadings(80, 40, behind.groups);
  await put(world.stack, other.payloads, (at) => `k${at}`);

  // All that stands before the poison, and the whole of the other shard, is committed; then its shard stands.
  let standing = -1;
  await expect
    .poll(
      async () => {
        const before = standing;
        standing = (await world.committed("poisoned-fail")).at(-1) ?? 0;
        return standing > 0 && standing === before;
      },
      { interval: 400, timeout: 10_000 },
    )
    .toBe(true);
  await broken.stop();

  process.env["TIDEMARK_GENERATION"] = "2";
  const mended = await world.deploy(poisoned("fail", false));
  await mended.whenCaughtUp();
  await mended.drain();
  expect(groupsOf(await world.output("poisoned-fail"))).toEqual(other.groups);
  expect(await world.output("poisoned-fail.malformed")).toEqual([]);
});
