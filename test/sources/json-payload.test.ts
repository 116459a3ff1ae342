import { expect, it } from "vitest";
import { jsonPayload, jsonValue } from "../../lib/sources/json-payload.js";

it("jsonValue keeps integers exact, and gives what JSON lacks as the decoder reads it", () => {
  expect([9007199254740993n, 0.5, Number.NaN, 'a"', true, null, undefined].map(jsonValue)).toEqual([
    "9007199254740993",
    "0.5",
    '"NaN"',
    '"a\\""',
    "true",
    "null",
    "null",
  ]);
  expect(jsonValue({ a: [1n, { b: new Date(0) }], c: new BigInt64Array([2n]), d: new Uint8Array([255]) })).toBe(
    '{"a":[1,{"b":"1970-01-01T00:00:00.000Z"}],"c":[2],"d":"/w=="}',
  );
});

it("jsonPayload is one object, whatever the names", () => {
  const payload = Buffer.from(
    jsonPayload([
      ['a"b', "1"],
      ["__proto__", "2"],
    ]),
  ).toString();
  expect(payload).toBe('{"a\\"b":1,"__proto__":2}');
});
