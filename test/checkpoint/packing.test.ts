import { describe, expect, it } from "vitest";
import { pack, packPlain, unpack } from "../../lib/checkpoint/packing.js";

const long = new Uint8Array(1000).fill(7);

describe("packed bytes", () => {
  it("say their version and give back what was packed, deflated where that is shorter", () => {
    expect(unpack(pack(1, long), 3)).toEqual({ version: 1, bytes: expect.anything() });
    expect([...unpack(pack(1, long), 1).bytes]).toEqual([...long]);
    expect(pack(1, long).length).toBeLessThan(100);
    const noise = Uint8Array.from({ length: 100 }, (_, i) => (i * 167 + ((i * i * 31) >> 3)) & 255);
    expect(pack(1, noise).length).toBeLessThanOrEqual(106);
    expect([...unpack(pack(1, noise), 1).bytes]).toEqual([...noise]);
  });

  it("are not deflated twice", () => {
    expect(packPlain(2, long)).toHaveLength(1006);
    expect([...unpack(packPlain(2, long), 2).bytes]).toEqual([...long]);
  });

  it("of newer code are refused, and so are damaged ones", () => {
    expect(() => unpack(pack(2, long), 1)).toThrow("newer-format");
    expect([...unpack(Uint8Array.of(1, 0, 7, 8), 1).bytes]).toEqual([7, 8]);
    for (const bytes of [[], [1], [0, 0], [1, 9], [1, 1, 255, 255]]) {
      expect(() => unpack(Uint8Array.from(bytes), 1)).toThrow("corrupt-bytes");
    }
  });

  it("TRIALS-2 E13: are refused with any bit damaged, any byte missing and any byte too many", () => {
    for (const packed of [pack(1, long), packPlain(1, long.subarray(0, 40)), pack(1, new Uint8Array())]) {
      for (let bit = 0; bit < packed.length * 8; bit++) {
        const damaged = packed.slice();
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        expect(() => unpack(damaged, 1), `bit ${bit}`).toThrow("corrupt-bytes");
      }
      for (let length = 0; length < packed.length; length++)
        expect(() => unpack(packed.subarray(0, length), 1)).toThrow("corrupt-bytes");
      expect(() => unpack(Uint8Array.from([...packed, 0]), 1)).toThrow("corrupt-bytes");
    }
  });
});
