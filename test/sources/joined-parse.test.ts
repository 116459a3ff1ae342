import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJoined } from "../../lib/sources/joined-parse.js";

const bytes = (texts: readonly string[]) => texts.map((text) => ({ data: new Uint8Array(Buffer.from(text)) }));
const base64 = (texts: readonly string[]) =>
  bytes(texts).map(({ data }) => ({ data, base64: Buffer.from(data).toString("base64") }));
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
    expect(parseJoined([{ data: new Uint8Array([0x22, 0xff, 0x22]) }])).toBeNull();
  });

  it("is null when a payload is no base64, of which a decoder without care would make JSON", () => {
    const [one, two] = base64(["1", "2"]);
    expect(parseJoined([one!, two!])).toEqual([1, 2]);
    for (const bad of ["MQ==!", "M Q==", "MQ=a", "M"]) expect(parseJoined([one!, { ...two!, base64: bad }])).toBeNull();
  });

  it("does not let a producer swallow its neighbours' records and make up their number", () => {
    expect(parseJoined(bytes(['{"a":[1', '{"victim":1}', "2]}", "1,2,3,4,5"]))).toBeNull();
    expect(parseJoined(bytes(['{},"x",{"a":[1', '{"victim":1}', "2]}"]))).toBeNull();
  });

  it("TRIALS-2 E17: is not fooled by a forged separator in the right place: it does not hold the random bits", () => {
    // As many elements as there would be: two forged rows, and the victim swallowed into the third.
    expect(parseJoined(bytes(['{"forged":1},"x",{"forged":2},"y",{"a":[1', '{"victim":1}', "2]}"]))).toBeNull();
  });

  it("answers with the values of all payloads if each is JSON by itself, else with null", () => {
    const piece = fc.oneof(fc.json(), fc.constantFrom('{"a":[1', "2]}", "1,2", ",", "", "]", "[", '"', '"x":{'));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), (texts) => {
        const values = texts.map(alone);
        const expected = values.includes(undefined) ? null : values;
        expect(parseJoined(bytes(texts))).toEqual(expected);
        expect(parseJoined(base64(texts))).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
