import { describe, expect, it } from "vitest";
import { decodeManifest, encodeManifest, type Manifest } from "../../lib/checkpoint/manifest-codec.js";
import { NO_REGISTERS, type Registers } from "../../lib/checkpoint/registers.js";
import { fromStored, registersVersion, toStored } from "../../lib/checkpoint/registers-codec.js";

const retired: Registers = { ...NO_REGISTERS, retired: { "s/0": 5 } };

describe("stored registers", () => {
  it("are of version 1 until a shard is retired, so that code before it reads them still", () => {
    expect(registersVersion(NO_REGISTERS)).toBe(1);
    expect(toStored(NO_REGISTERS)).not.toHaveProperty("retired");
    expect(registersVersion(retired)).toBe(2);
    expect(fromStored(toStored(retired))).toEqual(retired);
    expect(toStored(retired)).not.toHaveProperty("rings");
  });

  it("are of version 4 where they hold positions in rings, which code before would count anew", () => {
    const rings: Registers = { ...retired, rings: { "s/1": { batchId: 2, part: 1, parts: 3, closedAt: null } } };
    expect(registersVersion(rings)).toBe(4);
    expect(fromStored(toStored(rings))).toEqual(rings);
  });

  it("of version 1 name no retired shard", () => {
    expect(fromStored(toStored(NO_REGISTERS))).toEqual(NO_REGISTERS);
    expect(fromStored(toStored(retired))).toEqual(retired);
  });

  it("give their version to what they stand in", () => {
    const manifest: Manifest = {
      version: 1,
      generation: 1,
      offsets: new Map(),
      registers: NO_REGISTERS,
      lastPassWatermark: 0,
      watermark: 0,
      segments: [],
      runs: [],
    };
    expect(encodeManifest(manifest)[0]).toBe(1);
    expect(encodeManifest({ ...manifest, registers: retired })[0]).toBe(2);
    expect(decodeManifest(encodeManifest({ ...manifest, registers: retired })).registers).toEqual(retired);
  });

  it("cost a dozen bytes per retired shard at most", () => {
    const manifest = (count: number): Manifest => ({
      version: 1,
      generation: 1,
      offsets: new Map(),
      registers: {
        ...NO_REGISTERS,
        retired: Object.fromEntries(
          Array.from({ length: count }, (_, n) => [
            `clicks/shardId-${String(n).padStart(12, "0")}`,
            1_700_000_000_000 + ((n * 7_919_777) % 1e9),
          ]),
        ),
      },
      lastPassWatermark: 0,
      watermark: 0,
      segments: [],
      runs: [],
    });
    const perShard = (encodeManifest(manifest(2_000)).length - encodeManifest(manifest(1_000)).length) / 1_000;
    expect(perShard).toBeLessThan(12);
  });
});
