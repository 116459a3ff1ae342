import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asStored, decodeDelta, encodeDelta } from "../../lib/checkpoint/delta-codec.js";
import { packPlain } from "../../lib/checkpoint/packing.js";
import { type Change, type Expiry, REMOVE, type StateDelta, type TableDelta } from "../../lib/state/state-delta.js";

const value = fc.oneof(
  fc.tuple(fc.nat(), fc.integer()),
  fc.tuple(fc.nat(), fc.double({ noNaN: true })),
  fc.record({ a: fc.string(), b: fc.constant(null) }),
  fc.bigInt(),
);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant(REMOVE),
  fc.record({ kind: fc.constant("put" as const), value, fresh: fc.boolean(), order: fc.nat(1000) }),
);
const table: fc.Arbitrary<TableDelta> = fc.record({
  expiredThrough: fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 1_700_000_000_000_000),
  changes: fc
    .uniqueArray(
      fc.tuple(
        fc.option(fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-62_135_596_800_000_000, 253_402_300_799_999_000))),
        fc.dictionary(fc.string({ unit: "binary" }), change).map((d) => new Map(Object.entries(d))),
      ),
      { selector: ([expiry]) => expiry, maxLength: 4 },
    )
    .map((buckets) => new Map<Expiry, Map<string, Change>>(buckets)),
});
const delta: fc.Arbitrary<StateDelta> = fc.dictionary(fc.string(), table).map((d) => new Map(Object.entries(d)));

/** What must survive: all of it but the order of removes and updates, which have none. */
const plain = (d: StateDelta) =>
  [...d].map(([id, { expiredThrough, changes }]) => ({
    id,
    expiredThrough,
    changes: [...changes].map(([expiry, bucket]) => ({
      expiry,
      all: new Map([...bucket].sort(([a], [b]) => (a < b ? -1 : 1))),
      inserts: [...bucket].filter(([, c]) => c.kind === "put" && c.fresh).map(([key]) => key),
    })),
  }));

describe("the encoding of state changes", () => {
  it("gives back every change, inserts in their order", () => {
    fc.assert(fc.property(delta, (d) => void expect(plain(decodeDelta(encodeDelta(d)))).toEqual(plain(d))));
  });

  it("takes a handful of bytes per group", () => {
    const changes = new Map<Expiry, Map<string, Change>>();
    for (const expiry of [1, 2, 3]) {
      const bucket = new Map<string, Change>();
      for (let i = 0; i < 1000; i++) {
        bucket.set(`/page/${i}`, { kind: "put", value: [i % 7, (i * 7919) % 30_000], fresh: false, order: 0 });
      }
      changes.set(expiry * 300_000_000, bucket);
    }
    const bytes = encodeDelta(new Map([["agg/groups", { expiredThrough: 0, changes }]]));
    expect(bytes.length).toBeLessThan(8192);
  });

  it("leaves a committed state with what a reader of it sees: keys of objects in order", () => {
    const put = (v: unknown): StateDelta =>
      new Map([
        [
          "t",
          {
            expiredThrough: 0,
            changes: new Map([[1, new Map([["k", { kind: "put", value: v, fresh: true, order: 0 }]])]]),
          },
        ],
      ]);
    const unordered = put([{ b: 1, a: 2 }]);
    const stored = asStored(unordered, encodeDelta(unordered)).get("t")!.changes.get(1)!.get("k");
    expect(JSON.stringify(stored)).toContain('[{"a":2,"b":1}]');
    const ordered = put([{ a: 2, b: 1 }]);
    expect(asStored(ordered, encodeDelta(ordered))).toBe(ordered);
  });

  it("refuses bytes of newer code, and damaged ones, instead of guessing", () => {
    const bytes = encodeDelta(
      new Map([["t", { expiredThrough: 0, changes: new Map([[1, new Map([["k", REMOVE]])]]) }]]),
    );
    expect(() => decodeDelta(packPlain(2, bytes))).toThrow("newer-format");
    expect(() => decodeDelta(Uint8Array.of(2, ...bytes.slice(1)))).toThrow("corrupt-bytes");
    for (let cut = 0; cut < bytes.length; cut++)
      expect(() => decodeDelta(bytes.slice(0, cut))).toThrow("corrupt-bytes");
    expect(() => decodeDelta(Uint8Array.of(...bytes, 0))).toThrow("corrupt-bytes");
  });
});
