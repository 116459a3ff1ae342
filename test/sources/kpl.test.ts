import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deaggregate } from "../../lib/sources/kpl.js";
import { aggregate, field, seal } from "./kpl-aggregate.js";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe("deaggregate", () => {
  it("takes an aggregate apart in the producer's order", () => {
    const records = [
      { partitionKey: "a", data: bytes("1") },
      { partitionKey: "b", data: bytes("2") },
      { partitionKey: "a", data: bytes("") },
    ];
    expect(
      deaggregate(aggregate(records))?.map(({ partitionKey, data }) => [partitionKey, Buffer.from(data).toString()]),
    ).toEqual([
      ["a", "1"],
      ["b", "2"],
      ["a", ""],
    ]);
  });

  it("leaves alone what is no aggregate, has a wrong digest or broken insides", () => {
    const good = aggregate([{ partitionKey: "a", data: bytes("1") }]);
    const flipped = Buffer.from(good);
    flipped[flipped.length - 1] = (flipped.at(-1) as number) ^ 1;
    expect(deaggregate(bytes("{}"))).toBeNull();
    expect(deaggregate(good.subarray(0, 10))).toBeNull();
    expect(deaggregate(flipped)).toBeNull();
    expect(deaggregate(seal(Buffer.from([0x1a, 0xff])))).toBeNull();
    expect(deaggregate(seal(field(3, field(3, bytes("no key index")))))).toBeNull();
    expect(deaggregate(seal(field(3, Buffer.concat([Buffer.from([8, 9]), field(3, bytes("x"))]))))).toBeNull();
  });

  it("refuses lengths beyond the message without allocating them", () => {
    expect(deaggregate(seal(Buffer.from([0x1a, 0xff, 0xff, 0xff, 0xff, 0x0f])))).toBeNull();
  });

  it("gives any records back as they went in", () => {
    const record = fc.record({ partitionKey: fc.string({ unit: "grapheme" }), data: fc.uint8Array() });
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const out = deaggregate(aggregate(records));
        expect(out?.map(({ partitionKey, data }) => ({ partitionKey, data: new Uint8Array(data) }))).toEqual(records);
      }),
    );
  });

  it("never throws on a sealed message of any bytes, and never yields more than a record per 6 bytes", () => {
    const soup = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc
          .tuple(fc.integer({ min: 1, max: 4 }), fc.uint8Array({ maxLength: 20 }))
          .map(([n, b]) => new Uint8Array(field(n, b))),
      ),
    );
    fc.assert(
      fc.property(soup, (parts) => {
        const message = Buffer.concat(parts);
        const out = deaggregate(seal(message));
        expect(out === null || out.length * 6 <= message.length).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
