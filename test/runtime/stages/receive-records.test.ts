import { describe, expect, it } from "vitest";
import { NO_REGISTERS, type Registers } from "../../../lib/checkpoint/registers.js";
import { type Received, receiveRecords, type ShuffledRecord } from "../../../lib/runtime/stages/receive-records.js";
import type { EntryHead, TickRecord } from "../../../lib/shuffle/shuffle-record.js";

const reader = { query: "q", incarnation: "200", generation: 2, partition: 0 };
const common = { format: 1 as const, query: "q", incarnation: "200", generation: 2, partition: 0 };
let sequence = 0;
const recordOf = (head: EntryHead | TickRecord): ShuffledRecord => ({
  sequence: String(++sequence),
  head,
  body: new Uint8Array(0),
});

/** "A2.1/3": entry 2 of shard A, part 1 of 3. */
function entry(text: string, more: Partial<EntryHead> = {}): ShuffledRecord {
  const [, shard, batchId, part, parts] = /^(\w)(\d+)\.(\d+)\/(\d+)$/.exec(text)!;
  const numbers = { batchId: Number(batchId), part: Number(part), parts: Number(parts) };
  return recordOf({ ...common, source: "s", shard: shard!, ...numbers, rows: 1, ...more });
}
const tick = (heads: Readonly<Record<string, number>>): ShuffledRecord =>
  recordOf({
    ...common,
    instant: 1,
    lists: {},
    rings: { s: Object.fromEntries(Object.entries(heads).map(([shard, head]) => [shard, { head }])) },
  });
const at = (positions: Readonly<Record<string, string>>): Registers => ({
  ...NO_REGISTERS,
  rings: Object.fromEntries(
    Object.entries(positions).map(([shard, text]) => {
      const [batchId, part, parts] = text.split(/[./]/).map(Number);
      return [`s/${shard}`, { batchId: batchId!, part: part!, parts: parts!, closedAt: null }];
    }),
  ),
});
const textOf = ({ consumed, repeats, gap }: Received) => ({
  consumed: consumed.map(({ head }) => ("instant" in head ? "tick" : `${head.shard}${head.batchId}.${head.part}`)),
  repeats: repeats.length,
  gap: gap !== null,
});
const receive = (registers: Registers, ...records: ShuffledRecord[]) =>
  textOf(receiveRecords(reader, registers, records));

describe("the position in a ring (S13)", () => {
  it("takes the next part, then the next entry, and passes over what came before", () => {
    expect(receive(at({ A: "1.1/2" }), entry("A1.1/2"), entry("A1.2/2"), entry("A2.1/1"))).toEqual({
      consumed: ["A1.2", "A2.1"],
      repeats: 1,
      gap: false,
    });
  });

  it("moves within the delivery: a record that stands in it twice is consumed once [CS2, CS3]", () => {
    expect(receive(NO_REGISTERS, entry("A1.1/1"), entry("A2.1/1"), entry("A1.1/1"), entry("A2.1/1"))).toEqual({
      consumed: ["A1.1", "A2.1"],
      repeats: 2,
      gap: false,
    });
  });

  it("is entry and part: neither a part nor an entry is jumped over [CS18]", () => {
    expect(receive(at({ A: "1.1/2" }), entry("A2.1/1"))).toEqual({ consumed: [], repeats: 0, gap: true });
    expect(receive(at({ A: "1.1/1" }), entry("A2.2/2"))).toEqual({ consumed: [], repeats: 0, gap: true });
    expect(receive(at({ A: "1.1/1" }), entry("A3.1/1"))).toEqual({ consumed: [], repeats: 0, gap: true });
    expect(receive(NO_REGISTERS, entry("A2.1/1"))).toEqual({ consumed: [], repeats: 0, gap: true });
  });

  it("at a gap keeps what stands before it, and takes nothing after it, of any ring", () => {
    const received = receiveRecords(reader, NO_REGISTERS, [entry("A1.1/1"), entry("A3.1/1"), entry("B1.1/1")]);
    expect(textOf(received)).toEqual({ consumed: ["A1.1"], repeats: 0, gap: true });
    expect(received.gap!.error).toMatchObject({ code: "shuffle-gap", retry: false });
    expect(received.gap!.error.message).toContain(
      "part 1 of 1 of entry 3 of s/A has come, read is part 1 of 1 of entry 1",
    );
  });

  it("of an older incarnation's record nothing is taken; a newer one's stops the invocation [CS17]", () => {
    expect(receive(NO_REGISTERS, entry("A1.1/1", { incarnation: "199" }), entry("A1.1/1"))).toEqual({
      consumed: ["A1.1"],
      repeats: 0,
      gap: false,
    });
    expect(() => receive(NO_REGISTERS, entry("A1.1/1", { incarnation: "201" }))).toThrow("incarnation-changed");
  });

  it("stops at records of newer code, and reads those of older code (S20)", () => {
    expect(() => receive(NO_REGISTERS, entry("A1.1/1", { generation: 3 }))).toThrow("superseded");
    expect(receive(NO_REGISTERS, entry("A1.1/1", { generation: 1 })).consumed).toEqual(["A1.1"]);
  });

  it("passes over whatever comes of a retired ring, its first entry too [CS16]", () => {
    const registers = { ...NO_REGISTERS, retired: { "s/A": 5 } };
    const { consumed, ancient, gap } = receiveRecords(reader, registers, [
      entry("A1.1/1"),
      entry("A9.1/1"),
      tick({ A: 12 }),
    ]);
    expect([consumed.length, ancient.length, gap]).toEqual([1, 2, null]);
  });
});

describe("the roll call (S14)", () => {
  it("finds a lost last record by the tick that names its entry [CS5, CS20]", () => {
    expect(receive(at({ A: "1.1/1" }), tick({ A: 2 }))).toEqual({ consumed: [], repeats: 0, gap: true });
    expect(receive(at({ A: "2.1/2" }), tick({ A: 2 })).gap).toBe(true);
    expect(receive(at({ A: "2.2/2" }), tick({ A: 2 })).gap).toBe(false);
    expect(receive(NO_REGISTERS, tick({ A: 0 })).gap).toBe(false);
  });

  it("counts what came before it in the same delivery, and does no harm when it comes late", () => {
    expect(receive(NO_REGISTERS, entry("A1.1/1"), tick({ A: 1 })).consumed).toEqual(["A1.1", "tick"]);
    expect(receive(at({ A: "7.1/1" }), tick({ A: 1 })).gap).toBe(false);
  });

  it("finds a parent's lost last record by its child's first entry", () => {
    const child = (heads: Readonly<Record<string, number>>) => entry("C1.1/1", { heads });
    expect(receive(at({ A: "3.1/1" }), child({ A: 4 })).gap).toBe(true);
    expect(receive(at({ A: "4.1/1" }), child({ A: 4 }))).toEqual({ consumed: ["C1.1"], repeats: 0, gap: false });
  });
});
