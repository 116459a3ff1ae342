import { expect, test } from "vitest";
import { createSequenceNumbers } from "../../../lib/local/kinesis-emulator/sequence-numbers.js";

test("numbers rise over shards and instants, also when the clock goes back", () => {
  const sequences = createSequenceNumbers();
  const calls = [
    [0, 5000],
    [7, 5000],
    [1, 6000],
    [0, 4000],
    [9999, 6000],
  ] as const;
  const numbers = calls.map(([shard, now]) => sequences.next(shard, now));
  expect(new Set(numbers.map((n) => n.length))).toEqual(new Set([56]));
  expect([...numbers].sort()).toEqual(numbers);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(sequences.last()).toBe(numbers.at(-1));
});

test("after a restart they go on above the highest one seen", () => {
  const before = createSequenceNumbers();
  for (let i = 0; i < 20; i++) before.next(3, 5000);
  const after = createSequenceNumbers();
  after.atLeast(before.last());
  after.atLeast("1".padStart(56, "0"));
  expect(after.last()).toBe(before.last());
  expect(after.next(0, 1000) > before.last()).toBe(true);
});
