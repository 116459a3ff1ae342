import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineBlocks } from "../../lib/sources/file-lines.js";

async function* chunked(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const lines = async (text: string, size = 3, maxBytes = 1000) => {
  const out: string[] = [];
  for await (const { text: block, bounds } of lineBlocks(chunked(text, size), maxBytes)) {
    for (let i = 0; i < bounds.length; i += 2) {
      out.push(block.bytes.toString("utf8", bounds[i], bounds[i + 1]));
      expect(block.bytes[bounds[i + 1]!]! < 32 || bounds[i + 1]! - bounds[i]! > maxBytes).toBe(true);
    }
  }
  return out;
};

describe("lineBlocks", () => {
  it("yields lines without their ends and without blank ones, a byte order mark dropped", async () => {
    expect(await lines("\uFEFFa\n\n  \r\nbc\r\nlast")).toEqual(["a", "bc\r", "last"]);
  });

  it("cuts a line one byte over the limit and finds the next one", async () => {
    expect(await lines(`${"x".repeat(50)}\nnext\n`, 7, 10)).toEqual(["x".repeat(11), "next"]);
  });

  it("does not depend on how the bytes come", async () => {
    const text = fc.array(fc.constantFrom("a", "é", "\n", "\r\n", " ")).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (all, size) => {
        const expected = all.split("\n").filter((line) => line.trim() !== "");
        expect(await lines(all, size)).toEqual(expected);
      }),
    );
  });
});
