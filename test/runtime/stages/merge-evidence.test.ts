import { describe, expect, it } from "vitest";
import { NO_REGISTERS, type Registers, type ShardInfo } from "../../../lib/checkpoint/registers.js";
import { isDrained } from "../../../lib/runtime/shard-registers.js";
import { mergeMarker, mergeTick, stepsPerShard } from "../../../lib/runtime/stages/merge-evidence.js";
import type { EntryHead, RingLook, TickRecord } from "../../../lib/shuffle/shuffle-record.js";

const common = { format: 1 as const, query: "q", incarnation: "1", generation: 1, partition: 0 };
const query = { watermarks: [{ id: "w", delayMs: 0, sources: [0] }] };
const list: readonly ShardInfo[] = [
  { shard: "A", parents: [] },
  { shard: "C", parents: ["A"] },
  { shard: "D", parents: ["A"] },
];
const head = (shard: string): EntryHead => ({ ...common, source: "s", shard, batchId: 1, part: 1, parts: 1, rows: 0 });
const marker = (arrival: number, more: { readonly list?: readonly ShardInfo[] } = {}) => ({
  register: { readThrough: arrival, newestArrival: arrival, steps: { w: [{ arrival, maxEventTime: arrival }] } },
  newestArrival: arrival,
  ...more,
});
const tick = (instant: number, rings: Readonly<Record<string, RingLook>>, listed = list): TickRecord => ({
  ...common,
  instant,
  lists: { s: listed },
  rings: { s: rings },
});
const leftOf = (registers: Registers) =>
  registers.shardList["s"]!.filter((info) => isDrained(registers, "s", info, registers.shardList["s"]!)).map(
    ({ shard }) => shard,
  );

describe("evidence of rings (S16)", () => {
  it("lets a parent leave when a child has read a record, not when a child was looked at [CS8]", () => {
    const looked = mergeTick(NO_REGISTERS, query, tick(10, { C: { head: 0, readThrough: 9 } }));
    expect(leftOf(looked)).toEqual([]);
    expect(leftOf(mergeMarker(looked, head("C"), marker(12)))).toEqual(["A"]);
  });

  it("brings the sister with a child's first entry [CS9]", () => {
    const registers = mergeMarker(NO_REGISTERS, head("C"), marker(12, { list }));
    expect(registers.shardList["s"]).toEqual(list);
  });

  it("keeps that a shard is closed, and when a tick said so first [CS19]", () => {
    const once = mergeTick(NO_REGISTERS, query, tick(10, { A: { head: 0, closed: true } }));
    expect(once.rings["s/A"]).toEqual({ batchId: 0, part: 0, parts: 0, closedAt: 10 });
    expect(mergeTick(once, query, tick(11, { A: { head: 0, closed: true } })).rings["s/A"]!.closedAt).toBe(10);
    expect(leftOf(once)).toEqual(["A"]);
  });

  it("loses nothing to a tick that comes late or again", () => {
    const late = tick(5, { A: { head: 0, readThrough: 4 } });
    const registers = mergeMarker(mergeTick(NO_REGISTERS, query, late), head("A"), marker(20));
    const again = mergeTick(registers, query, late);
    expect(again.perShard["s/A"]!.readThrough).toBe(20);
    expect(again.shardList).toEqual(registers.shardList);
  });

  it("retires a closed shard once a later list names it no more, and never by a list of before (S19)", () => {
    let registers = mergeTick(NO_REGISTERS, query, tick(10, { A: { head: 1, closed: true } }));
    for (const shard of ["A", "C", "D"])
      registers = mergeMarker(registers, head(shard), marker(shard === "A" ? 8 : 12));
    registers = { ...registers, perNodeWatermark: { w: 12 } };
    const without = list.filter(({ shard }) => shard !== "A");
    expect(mergeTick(registers, query, tick(10, {}, without)).retired).toEqual({});
    const retired = mergeTick(registers, query, tick(11, {}, without));
    expect(retired.retired).toEqual({ "s/A": 8 });
    expect(retired.rings["s/A"]).toBeUndefined();
  });

  it("keeps fewer steps per shard the more shards there are (S22)", () => {
    const of = (shards: number): Registers => ({
      ...NO_REGISTERS,
      shardList: { s: Array.from({ length: shards }, (_, at) => ({ shard: String(at), parents: [] })) },
    });
    expect([1, 64, 65, 200, 2_000].map((shards) => stepsPerShard(of(shards)))).toEqual([32, 32, 31, 10, 2]);
  });
});
