import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";
import { compileStandardDecoder } from "../../lib/sources/standard-decoder.js";

const decoder = compileRowDecoder({
  fields: [
    { name: "j", type: "json", nullable: true },
    { name: "l", type: "long", nullable: true },
    { name: "d", type: "double", nullable: true },
  ],
});
const decode = (text: string) => decoder(Buffer.from(text));

describe("json columns", () => {
  it("keep the digits of every integer, however deep", () => {
    expect(decode('{"j":{"a":[9007199254740993,1],"b":-123456789012345678901234567890}}')).toEqual({
      row: { j: { a: [9007199254740993n, 1], b: -123456789012345678901234567890n }, l: null, d: null },
    });
    expect(decode('{"j":{"__proto__":9007199254740993}}')).toEqual({
      row: {
        j: JSON.parse('{"__proto__":0}', (key, value) => (key === "__proto__" ? 9007199254740993n : value)),
        l: null,
        d: null,
      },
    });
  });

  it("hold a number with a point or an exponent as a double, and none that is too large for one", () => {
    expect(decode('{"j":[1e21,9007199254740993.0,0.1]}')).toMatchObject({ row: { j: [1e21, 9007199254740992, 0.1] } });
    expect(decode('{"j":[1e400]}')).toMatchObject({ malformed: "schema-violation" });
    expect(decode('{"d":1e400}')).toMatchObject({ malformed: "schema-violation" });
    expect(decode('{"d":"-INF"}')).toMatchObject({ row: { d: Number.NEGATIVE_INFINITY } });
    expect(decode(`{"j":${"9".repeat(401)}}`)).toMatchObject({ malformed: "schema-violation" });
  });
});

describe("long columns", () => {
  it("TRIALS-2 E14: take an integer with an exponent for what is written", () => {
    expect(decode('{"l":9999999999999e5}')).toMatchObject({ row: { l: 999_999_999_999_900_000n } });
    expect(decode('{"l":90071992547409930e-1}')).toMatchObject({ row: { l: 9007199254740993n } });
    expect(decode('{"l":1e15}')).toMatchObject({ row: { l: 1_000_000_000_000_000 } });
  });
});

describe("a Standard Schema", () => {
  const standard = compileStandardDecoder(z.object({ id: z.number() }), {
    fields: [{ name: "id", type: "json", nullable: true }],
  });

  it("gets no number that JSON.parse has changed", () => {
    expect(standard(Buffer.from('{"id":9007199254740993}'))).toMatchObject({
      malformed: "schema-violation",
      detail: expect.stringContaining("long()"),
    });
    expect(standard(Buffer.from('{"id":9007199254740992}'))).toEqual({ row: { id: 9007199254740992 } });
    expect(standard(Buffer.from('{"id":1e21}'))).toEqual({ row: { id: 1e21 } });
  });
});
