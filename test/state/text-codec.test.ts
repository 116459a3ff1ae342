import { describe, expect, it } from "vitest";
import { byteReader } from "../../lib/state/byte-reader.js";
import { byteWriter } from "../../lib/state/byte-writer.js";
import { readText, writeText } from "../../lib/state/text-codec.js";

function roundTrip(text: string): { readonly back: string; readonly bytes: number } {
  const out = byteWriter();
  writeText(out, text);
  return { back: readText(byteReader(out.finish())), bytes: out.length };
}

describe("stored text", () => {
  it("comes back, lone surrogates included", () => {
    for (const text of ["", "plain", "ü😀\u0000", "\ud800", "a\udc00b", "😀".slice(1)])
      expect(roundTrip(text).back).toBe(text);
  });

  it("takes a byte per character while it is ASCII", () => {
    expect(roundTrip("x".repeat(60)).bytes).toBe(61);
  });

  it("refuses half a UTF-16 character", () => {
    expect(() => readText(byteReader(Uint8Array.of(3 * 2 + 1, 1, 2, 3)))).toThrow("corrupt-bytes");
  });
});
