import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJoined } from "../../lib/sources/joined-parse.js";

const bytes = (texts: readonly string[]) => texts.map((text) => new Uint8Array(Buffer.from(text)));
const alone = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

describe("parseJoined", () => {
  it("parses each payload as if alone", () => {
    expect(parseJoined(bytes(['{"a":1}', " 2 ", '"ü"', "null"]))).toEqual([{ a: 1 }, 2, "ü", null]);
  });

  it("is null when a payload is empty, broken or no UTF-8", () => {
    for (const bad of ["", "{", "1,2"]) expect(parseJoined(bytes(["1", bad, "3"]))).toBeNull();
    expect(parseJoined([new Uint8Array([0x22, 0xff, 0x22])])).toBeNull();
  });

  it("does not let a producer swallow its neighbours' records and make up their number", () => {
    expect(parseJoined(bytes(['{"a":[1', '{"victim":1}', "2]}", "1,2,3,4,5"]))).toBeNull();
    expect(parseJoined(bytes(['{},"x",{"a":[1', '{"victim":1}', "2]}"]))).toBeNull();
  });

  it("answers with the values of all payloads if each is JSON by itself, else with null", () => {
    const piece = fc.oneof(fc.json(), fc.constantFrom('{"a":[1', "2]}", "1,2", ",", "", "]", "[", '"', '"x":{'));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), (texts) => {
        const values = texts.map(alone);
        expect(parseJoined(bytes(texts))).toEqual(values.includes(undefined) ? null : values);
      }),
      { numRuns: 2000 },
    );
  });
});
