import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64 } from "../../lib/sources/base64.js";

describe("decodeBase64", () => {
  it("reads standard and URL-safe base64, padded or not", () => {
    for (const text of ["+/8=", "-_8=", "-_8"]) expect([...(decodeBase64(text) ?? [])]).toEqual([0xfb, 0xff]);
    expect(decodeBase64("")).toHaveLength(0);
  });

  it("refuses what Buffer.from would have read with gaps", () => {
    for (const text of ["a", "ab!d", "{}", "YWJj YWJj", "YWJjé"]) expect(decodeBase64(text)).toBeNull();
  });

  it("gives all bytes back", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(new Uint8Array(decodeBase64(Buffer.from(bytes).toString("base64")) ?? [])).toEqual(bytes);
      }),
    );
  });
});
