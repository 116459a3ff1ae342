import { expect, it } from "vitest";
import type { Shard } from "../../../lib/local/kinesis-emulator/shard.js";
import { createThrottle } from "../../../lib/local/kinesis-emulator/throttle.js";

const shard = (number: number) => ({ number }) as Shard;

it("admits a shard's records, bytes and reads of one second, each shard by itself", () => {
  let now = 0;
  const throttle = createThrottle(true, () => now);
  const [a, b] = [shard(0), shard(1)];
  expect(throttle.admitWrite(a, 1 << 20)).toBe(true);
  expect(throttle.admitWrite(a, 1)).toBe(false);
  expect(throttle.admitWrite(b, 1)).toBe(true);
  expect([1, 2, 3, 4, 5, 6].map(() => throttle.admitRead(b))).toEqual([true, true, true, true, true, false]);
  now = 1_000;
  expect(throttle.admitWrite(a, 1)).toBe(true);
  expect(throttle.admitRead(b)).toBe(true);
});

it("admits all where it is off", () => {
  const throttle = createThrottle(false, () => 0);
  expect(Array.from({ length: 2_000 }, () => throttle.admitWrite(shard(0), 1 << 20)).every(Boolean)).toBe(true);
});
