import { describe, expect, it } from "vitest";
import {
  changedRegisters,
  isRetired,
  mergeRegisters,
  NO_REGISTERS,
  type Registers,
} from "../../lib/checkpoint/registers.js";

const registers = (more: Partial<Registers>): Registers => ({ ...NO_REGISTERS, ...more });
const shard = (readThrough: number, more = {}) => ({ readThrough, newestArrival: readThrough, steps: {}, ...more });

describe("registers", () => {
  it("only grow: watermarks per node, read marks, processing time, drained", () => {
    const before = registers({
      perNodeWatermark: { a: 5, b: 7 },
      perShard: { "s/0": shard(10) },
      processingTime: 100,
      drained: true,
    });
    const merged = mergeRegisters(
      before,
      registers({
        perNodeWatermark: { a: 3, b: 9 },
        perShard: { "s/0": shard(8), "s/1": shard(1) },
        processingTime: 90,
      }),
    );
    expect(merged).toMatchObject({
      perNodeWatermark: { a: 5, b: 9 },
      perShard: { "s/0": { readThrough: 10, newestArrival: 10 }, "s/1": { readThrough: 1 } },
      processingTime: 100,
      drained: true,
    });
  });

  it("keep the first silence and take the entry's steps and shard lists, whose writer grew them", () => {
    const before = registers({
      perShard: { "s/0": shard(1, { silentSince: 5, steps: { w: [{ arrival: 1, maxEventTime: 1 }] } }) },
      shardList: { s: [{ shard: "0", parents: [] }] },
    });
    const steps = {
      w: [
        { arrival: 1, maxEventTime: 1 },
        { arrival: 2, maxEventTime: 9 },
      ],
    };
    const list = [
      { shard: "0", parents: [], drained: true as const },
      { shard: "1", parents: ["0"] },
    ];
    const merged = mergeRegisters(
      before,
      registers({ perShard: { "s/0": shard(2, { silentSince: 7, steps }) }, shardList: { s: list } }),
    );
    expect(merged.perShard["s/0"]).toEqual({ readThrough: 2, newestArrival: 2, silentSince: 5, steps });
    expect(merged.shardList).toEqual({ s: list });
  });

  it("take oldest expiry and next timer from the entry, for they describe its rows", () => {
    const before = registers({ oldestExpiry: 5, nextTimer: 5 });
    expect(mergeRegisters(before, registers({ oldestExpiry: 9 }))).toMatchObject({ oldestExpiry: 9, nextTimer: null });
  });

  it("travel as what changed, and merge to the whole again", () => {
    const before = registers({
      perNodeWatermark: { a: 1, b: 2 },
      perShard: { "s/0": shard(1), "s/1": shard(2) },
      shardList: { s: [] },
    });
    const after = { ...before, perNodeWatermark: { a: 1, b: 3 }, perShard: { ...before.perShard, "s/1": shard(5) } };
    const carried = changedRegisters(before, after);
    expect(carried).toMatchObject({ perNodeWatermark: { b: 3 }, shardList: {} });
    expect(Object.keys(carried.perShard)).toEqual(["s/1"]);
    expect(mergeRegisters(before, carried)).toEqual(after);
  });

  it("treat a shard named __proto__ as any other", () => {
    const hostile = registers({ perShard: Object.fromEntries([["__proto__", shard(3)]]) });
    const merged = mergeRegisters(NO_REGISTERS, hostile);
    expect(Object.keys(merged.perShard)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(merged.perShard)).toBe(Object.prototype);
  });

  it("lose what stood of the shards that an entry retires", () => {
    const before = registers({
      perShard: { "s/0": shard(5), "s/1": shard(6), "t/0": shard(7) },
      shardList: {
        s: [
          { shard: "0", parents: [] },
          { shard: "1", parents: ["0"] },
        ],
        t: [{ shard: "0", parents: [] }],
      },
      retired: { "s/9": 1 },
    });
    const merged = mergeRegisters(before, registers({ retired: { "s/0": 5 } }));
    expect(merged.retired).toEqual({ "s/9": 1, "s/0": 5 });
    expect(merged.perShard).toEqual({ "s/1": shard(6), "t/0": shard(7) });
    expect(merged.shardList).toEqual({ s: [{ shard: "1", parents: ["0"] }], t: [{ shard: "0", parents: [] }] });
  });

  it("do not take a retired shard back, whatever a later entry says of it", () => {
    const before = registers({ retired: { "s/0": 5 } });
    const later = registers({ perShard: { "s/0": shard(9) }, shardList: { s: [{ shard: "0", parents: [] }] } });
    expect(mergeRegisters(before, later)).toEqual({ ...before, shardList: { s: [] } });
  });

  it("carry only the newly retired, and merge to the whole again", () => {
    const before = registers({ perShard: { "s/0": shard(5) }, retired: { "s/8": 1, "s/9": 2 } });
    const after = { ...before, perShard: {}, retired: { ...before.retired, "s/0": 5 } };
    const carried = changedRegisters(before, after);
    expect(carried).toMatchObject({ perShard: {}, retired: { "s/0": 5 } });
    expect(Object.keys(carried.retired)).toEqual(["s/0"]);
    expect(mergeRegisters(before, carried)).toEqual(after);
    expect(changedRegisters(after, { ...after, processingTime: 1 }).retired).toEqual({});
  });

  it("take no inherited name for a retired shard", () => {
    expect(isRetired(NO_REGISTERS, "constructor")).toBe(false);
  });
});
