import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteReader } from "../../lib/state/byte-reader.js";
import { byteWriter } from "../../lib/state/byte-writer.js";

describe("bytes", () => {
  it("give back varints and signed integers over all that is safe, in as few bytes as they need", () => {
    const edges = [0, 1, 63, 64, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1];
    for (const value of edges) {
      const out = byteWriter(1);
      out.varint(value);
      out.signed(value);
      out.signed(-value || 0);
      const input = byteReader(out.finish());
      expect([input.varint(), input.signed(), input.signed()]).toEqual([value, value, -value || 0]);
      expect(input.done).toBe(true);
    }
    const small = byteWriter();
    small.signed(-63);
    small.varint(127);
    expect(small.length).toBe(2);
  });

  it("give back any mixture in order, however often the buffer grew", () => {
    const part = fc.oneof(
      fc.record({ kind: fc.constant("varint" as const), value: fc.nat(Number.MAX_SAFE_INTEGER) }),
      fc.record({ kind: fc.constant("signed" as const), value: fc.maxSafeInteger() }),
      fc.record({ kind: fc.constant("double" as const), value: fc.double() }),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const out = byteWriter(1);
        for (const { kind, value } of parts) out[kind](value);
        const input = byteReader(out.finish());
        for (const { kind, value } of parts) expect(Object.is(input[kind](), value)).toBe(true);
        expect(input.remaining).toBe(0);
      }),
    );
  });

  it("end where they end: reading on fails", () => {
    for (const read of ["byte", "varint", "signed", "double", "block"] as const) {
      expect(() => byteReader(new Uint8Array())[read]()).toThrow("corrupt-bytes");
    }
    expect(() => byteReader(new Uint8Array(20).fill(255)).varint()).toThrow("corrupt-bytes");
    expect(() => byteReader(Uint8Array.of(5, 1)).block()).toThrow("corrupt-bytes");
  });

  it("copy on slice though they came in a Buffer, whose slice would not", () => {
    const buffer = Buffer.from([1, 7]);
    const copy = byteReader(buffer).block().slice();
    buffer[1] = 0;
    expect([...copy]).toEqual([7]);
  });
});
