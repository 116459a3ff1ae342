import { describe, expect, it } from "vitest";
import { murmur3, partitionOf } from "../../lib/state/partition-hash.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("the hash of partitions", () => {
  it("is MurmurHash3 for 32 bits", () => {
    expect(murmur3(bytes(""), 0)).toBe(0);
    expect(murmur3(bytes(""), 1)).toBe(0x514e28b7);
    expect(murmur3(bytes("test"), 0)).toBe(0xba6bd213);
    expect(murmur3(bytes("Hello, world!"), 0x9747b28c)).toBe(0x24884cba);
    expect(murmur3(bytes("The quick brown fox jumps over the lazy dog"), 0x9747b28c)).toBe(0x2fa826cd);
  });

  it("puts values that group together into one partition: NULL and missing, 0 and −0, NaN, a long as number or bigint", () => {
    const of = partitionOf([{ name: "k", type: "double" }], 1_024, 7);
    expect(of({ k: null })).toBe(of({}));
    expect(of({ k: -0 })).toBe(of({ k: 0 }));
    expect(of({ k: Number.NaN })).toBe(of({ k: 0 / 0 }));
    const long = partitionOf([{ name: "k", type: "long" }], 1_024, 7);
    expect(long({ k: 12 })).toBe(long({ k: 12n }));
  });

  it("keeps NULL apart from the text that spells it, and each pair of columns from the other", () => {
    const of = partitionOf([{ name: "a", type: "string" }], 2 ** 20, 7);
    expect(of({ a: null })).not.toBe(of({ a: "n" }));
    const pair = partitionOf(
      [
        { name: "a", type: "string" },
        { name: "b", type: "string" },
      ],
      2 ** 20,
      7,
    );
    expect(pair({ a: "xy", b: "z" })).not.toBe(pair({ a: "x", b: "yz" }));
  });

  it("spreads 40,000 keys over 8 partitions within 3 % of even", () => {
    const of = partitionOf([{ name: "user", type: "string" }], 8, 0x74696465);
    const counts = new Array<number>(8).fill(0);
    for (let at = 0; at < 40_000; at++) counts[of({ user: `user-${at}` })]!++;
    for (const count of counts) expect(Math.abs(count - 5_000)).toBeLessThan(150);
  });
});
